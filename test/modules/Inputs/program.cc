// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program with one site that calls a shared library.
#include <atomic>
#include <cstdio>

extern "C" long count_calls();
static std::atomic<long> count;

int main() {
  count++;
  count_calls();
  printf("%ld %ld\n", count.load(), count_calls());
}
