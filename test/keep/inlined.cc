// SPDX-License-Identifier: GPL-3.0-or-later
//
// A kept function is not inlined where it would be patched, however small it
// is and whatever the compiler is told; among kept functions it may be.
// RUN: for o in 1 2 3 g s; do \
// RUN:   %cxx -O$o -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done
// RUN: %cxx -O3 -finline-limit=10000 -finline-functions-called-once -c %s \
// RUN:   %uplock -o %t.o
// RUN: %sites %t.o | FileCheck %s
#include "Inputs/kept-inline.h"

int n;

[[uplock::keep]] inline int kept_inline(int k) {
  return __atomic_fetch_add(&n, k, 5);
}
[[uplock::keep]] static inline int kept_static(int k) {
  return __atomic_fetch_sub(&n, k, 5);
}
[[uplock::keep]] static int kept_once(int k) {
  return __atomic_fetch_or(&n, k, 5);
}

int patched(int k) {
  __atomic_fetch_add(&n, 1, 5);
  return kept_inline(k) + kept_static(k) + kept_once(k) + kept_in_header(&n);
}
// CHECK-DAG: {{^}}patched(int): 1 locked, 1 recorded
// CHECK-DAG: {{^}}kept_inline(int){{.*}}: 1 locked, 0 recorded
// CHECK-DAG: {{^}}kept_static(int){{.*}}: 1 locked, 0 recorded
// CHECK-DAG: {{^}}kept_once(int){{.*}}: 1 locked, 0 recorded
// CHECK-DAG: {{^}}kept_in_header(int*){{.*}}: 1 locked, 0 recorded

// As if all calls had to be inlined.
__attribute__((flatten)) int patched_flat(int k) {
  __atomic_fetch_add(&n, 2, 5);
  return kept_inline(k);
}
// CHECK-DAG: {{^}}patched_flat(int): 1 locked, 1 recorded
