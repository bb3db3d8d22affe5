// SPDX-License-Identifier: GPL-3.0-or-later
//
// A function with a second name is kept if either of the names is marked.
// RUN: for o in 0 2; do \
// RUN:   %gcc -O$o -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done

__attribute__((uplock_keep)) int kept(int *p) {
  return __atomic_fetch_add(p, 1, 5);
}
int kept_too(int *) __attribute__((alias("kept")));
// CHECK-DAG: {{^}}kept: 1 locked, 0 recorded
// CHECK-DAG: {{^}}kept_too: 1 locked, 0 recorded

int marked_elsewhere(int *p) { return __atomic_fetch_add(p, 2, 5); }
int marked_here(int *) __attribute__((alias("marked_elsewhere"), uplock_keep));
// CHECK-DAG: {{^}}marked_elsewhere: 1 locked, 0 recorded
// CHECK-DAG: {{^}}marked_here: 1 locked, 0 recorded

int patched(int *p) { return kept_too(p) + __atomic_fetch_sub(p, 1, 5); }
// CHECK-DAG: {{^}}patched: 1 locked, 1 recorded
