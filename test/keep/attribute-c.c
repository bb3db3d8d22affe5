// SPDX-License-Identifier: GPL-3.0-or-later
//
// The GNU spelling in C, with C11 atomics.
// RUN: for o in 0 1 2 3 g s; do \
// RUN:   %gcc -std=gnu17 -O$o -Wall -Werror -Wno-comment -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done
#include <stdatomic.h>

atomic_int n;

__attribute__((uplock_keep)) int kept(void) { return atomic_fetch_add(&n, 2); }
// CHECK-DAG: {{^}}kept: 1 locked, 0 recorded

__attribute__((uplock_keep)) void kept_operator(void) { n++; }
// CHECK-DAG: {{^}}kept_operator: 1 locked, 0 recorded

__attribute__((uplock_patch)) int patched(void) { return n++; }
// CHECK-DAG: {{^}}patched: 1 locked, 1 recorded

int unmarked(void) { return n--; }
// CHECK-DAG: {{^}}unmarked: 1 locked, 1 recorded
