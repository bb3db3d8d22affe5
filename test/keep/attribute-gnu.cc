// SPDX-License-Identifier: GPL-3.0-or-later
//
// The GNU spelling works in C++, before and behind the declarator, with and
// without underscores.
// RUN: for o in 0 1 2 3 g s; do \
// RUN:   %cxx -O$o -Wall -Werror -Wno-comment -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done

__attribute__((uplock_keep)) int kept_before(int *p) {
  return __atomic_fetch_add(p, 1, 5);
}
// CHECK-DAG: {{^}}kept_before(int*): 1 locked, 0 recorded

int kept_behind(int *p) __attribute__((uplock_keep));
int kept_behind(int *p) { return __atomic_fetch_add(p, 2, 5); }
// CHECK-DAG: {{^}}kept_behind(int*): 1 locked, 0 recorded

__attribute__((__uplock_keep__)) int kept_underscores(int *p) {
  return __atomic_fetch_add(p, 3, 5);
}
// CHECK-DAG: {{^}}kept_underscores(int*): 1 locked, 0 recorded

__attribute__((uplock_patch)) int patched(int *p) {
  return __atomic_fetch_add(p, 4, 5);
}
// CHECK-DAG: {{^}}patched(int*): 1 locked, 1 recorded
