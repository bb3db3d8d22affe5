// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is inlined into a kept function is kept there, and stays patched where
// it stands on its own.
// RUN: for o in 1 2 3 s; do \
// RUN:   %cxx -O$o -c %s %uplock -fplugin-arg-uplock-cover=all -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done

int n;

inline __attribute__((always_inline)) int helper(int k) {
  __atomic_thread_fence(5);
  return __atomic_fetch_add(&n, k, 5);
}
int helper_on_its_own(int k) { return helper(k); }
// CHECK-DAG: {{^}}helper_on_its_own(int): 2 locked, 2 recorded

[[uplock::keep]] inline __attribute__((always_inline)) int step(int k) {
  return __atomic_exchange_n(&n, k, 5);
}

[[uplock::keep]] int kept(int k) { return helper(k) + step(k); }
// CHECK-DAG: {{^}}kept(int): 3 locked, 0 recorded
