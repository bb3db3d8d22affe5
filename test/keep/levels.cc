// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every kind of site, at every -O level: nothing of a kept function is in the
// table, whether the members of std::atomic are inlined or not.
// RUN: for o in 0 1 2 3 g s fast; do \
// RUN:   %cxx -O$o -c %s %uplock -fplugin-arg-uplock-cover=all -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s --implicit-check-not='{{^std::.* [1-9][0-9]* locked}}' || exit; \
// RUN: done
// RUN: %cxx -O2 -fno-inline -c %s %uplock -fplugin-arg-uplock-cover=all \
// RUN:   -o %t.o
// RUN: %sites %t.o | FileCheck %s --implicit-check-not='{{^std::.* [1-9][0-9]* locked}}'
#include <atomic>

std::atomic<int> number;
std::atomic_flag flag = ATOMIC_FLAG_INIT;

[[uplock::keep]] int kept(int *p) {
  number++;
  number.store(3);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  __sync_synchronize();
  asm volatile("lock; incl %0" : "+m"(*p));
  bool was_set = flag.test_and_set();
  return __atomic_exchange_n(p, was_set, 5);
}
// CHECK: {{^}}kept(int*): 7 locked, 0 recorded

// The exchange and the test_and_set have two locked instructions each here.
int patched(int *p) {
  number++;
  number.store(3);
  std::atomic_thread_fence(std::memory_order_seq_cst);
  __sync_synchronize();
  asm volatile("lock; incl %0" : "+m"(*p));
  bool was_set = flag.test_and_set();
  return __atomic_exchange_n(p, was_set, 5);
}
// CHECK: {{^}}patched(int*): 9 locked, 9 recorded
