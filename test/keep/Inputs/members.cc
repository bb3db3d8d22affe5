// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>

extern std::atomic<int> number;
extern std::atomic_flag flag;

#ifdef KEPT
std::atomic<int> number;
std::atomic_flag flag = ATOMIC_FLAG_INIT;
int other();

[[uplock::keep]] int kept() {
  number++;
  flag.test_and_set();
  return std::atomic_fetch_add(&number, 2) + number.exchange(3);
}

int main() { return kept() + other() < 0; }
#else
int other() {
  number++;
  flag.test_and_set();
  return std::atomic_fetch_add(&number, 2) + number.exchange(3);
}
#endif
