// SPDX-License-Identifier: GPL-3.0-or-later
//
// GCC's attribute `copy` copies a mark as it copies any attribute, but not what
// the plugin concluded about the other function. Linux's module_init() writes
// such a copy.
// RUN: %gcc -O2 -Wall -Werror -Wno-comment -c %s %uplock -o %t.o
// RUN: %sites %t.o | FileCheck %s --check-prefixes=CHECK,PATCH
// RUN: %gcc -O2 -Wall -Werror -Wno-comment -c %s %uplock \
// RUN:   -fplugin-arg-uplock-default=keep -o %t.keep.o
// RUN: %sites %t.keep.o | FileCheck %s --check-prefixes=CHECK,KEEP

int n;

__attribute__((uplock_keep)) void kept(void) { __atomic_fetch_add(&n, 1, 5); }
// CHECK-DAG: {{^}}kept: 1 locked, 0 recorded

__attribute__((copy(kept))) void copied(void) { __atomic_fetch_add(&n, 1, 5); }
// CHECK-DAG: {{^}}copied: 1 locked, 0 recorded

int start(void) { return __atomic_fetch_add(&n, 1, 5); }
int init_module(void) __attribute__((copy(start), alias("start")));
// PATCH-DAG: {{^}}init_module: 1 locked, 1 recorded
// KEEP-DAG: {{^}}init_module: 1 locked, 0 recorded

__attribute__((copy(start), uplock_patch)) void patched(void) {
  __atomic_fetch_add(&n, 1, 5);
}
// CHECK-DAG: {{^}}patched: 1 locked, 1 recorded
