// SPDX-License-Identifier: GPL-3.0-or-later
//
// A GNU C nested function in a kept function is kept.
// RUN: for o in 0 1 2 3 s; do \
// RUN:   %gcc -O$o -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done

int n;
void call(void (*)(int));

__attribute__((uplock_keep)) void kept(int by) {
  void kept_inner(int k) {
    void kept_innermost(int l) { __atomic_fetch_add(&n, l * by, 5); }
    __atomic_fetch_sub(&n, by + k, 5);
    call(kept_innermost);
  }
  call(kept_inner);
}
// CHECK-DAG: {{^}}kept_inner.{{[0-9]+}}: 1 locked, 0 recorded
// CHECK-DAG: {{^}}kept_innermost.{{[0-9]+}}: 1 locked, 0 recorded

void patched(int by) {
  void patched_inner(int k) { __atomic_fetch_sub(&n, by + k, 5); }
  call(patched_inner);
}
// CHECK-DAG: {{^}}patched_inner.{{[0-9]+}}: 1 locked, 1 recorded
