// SPDX-License-Identifier: GPL-3.0-or-later
//
// A kept function that is always inlined may be called through a pointer from
// patched code, also when the compiler finds out what the pointer is: that call
// stays a call.
// RUN: for o in 0 1 2 3; do \
// RUN:   %gcc -O$o -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done

typedef int function(int *);

__attribute__((uplock_keep, always_inline)) static inline int kept(int *p) {
  return __atomic_fetch_add(p, 1, 5);
}
// CHECK-DAG: {{^}}kept: 1 locked, 0 recorded

static function *const table[] = {kept};

int patched(int *p) {
  __atomic_fetch_sub(p, 1, 5);
  return table[0](p);
}
// CHECK-DAG: {{^}}patched: 1 locked, 1 recorded

__attribute__((uplock_keep)) int kept_caller(int *p) { return kept(p); }
// CHECK-DAG: {{^}}kept_caller: 1 locked, 0 recorded
