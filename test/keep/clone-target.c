// SPDX-License-Identifier: GPL-3.0-or-later
//
// Each version of a function for several processors is kept.
// RUN: for o in 0 2 3; do \
// RUN:   %gcc -O$o -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done

#define VERSIONS target_clones("avx2", "default")

__attribute__((uplock_keep, VERSIONS)) int kept(int *p) {
  return __atomic_fetch_add(p, 1, 5);
}
// CHECK-DAG: {{^}}kept.avx2{{.*}}: 1 locked, 0 recorded
// CHECK-DAG: {{^}}kept.default{{.*}}: 1 locked, 0 recorded

__attribute__((VERSIONS)) int patched(int *p) {
  return __atomic_fetch_sub(p, 1, 5);
}
// CHECK-DAG: {{^}}patched.avx2{{.*}}: 1 locked, 1 recorded
// CHECK-DAG: {{^}}patched.default{{.*}}: 1 locked, 1 recorded
