// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>

std::atomic<long> calls;
void add(int n);
__attribute__((noinline)) void call(int n) {
  calls++;
  add(n);
}
