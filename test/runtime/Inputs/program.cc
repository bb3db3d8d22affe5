// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program with seven sites and one function that nobody calls.
#include <atomic>
#include <cstdio>
#include <memory>

std::atomic<int> counter;
thread_local std::atomic<short> local;

__attribute__((noinline)) int nobody_calls_this() {
  return counter.fetch_xor(5);
}

int main() {
  local += 5;
  counter -= 128;
  counter++;
  auto one = std::make_shared<int>(3), other = one;
  printf("%d %d %d\n", counter.load(), local.load(), *other);
}
