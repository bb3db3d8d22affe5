// SPDX-License-Identifier: GPL-3.0-or-later
//
// A function whose name comes out of a macro stands where the macro is used,
// not where it is defined.
// RUN: for o in 0 2; do \
// RUN:   %gcc -O$o -Wall -Werror -Wno-comment -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done

#pragma uplock keep
#define DEFINE_IN_KEEP(name) \
  void name##_counter(int *p) { __atomic_fetch_add(p, __LINE__, 5); }
#pragma uplock pop
#define DEFINE(name) \
  void name##_counter(int *p) { __atomic_fetch_add(p, __LINE__, 5); }
#define DEFINE_BOTH(name) DEFINE(name##_1) DEFINE(name##_2)

DEFINE_IN_KEEP(outside)
// CHECK-DAG: {{^}}outside_counter: 1 locked, 1 recorded

#pragma uplock keep
DEFINE(inside)
// CHECK-DAG: {{^}}inside_counter: 1 locked, 0 recorded

DEFINE_BOTH(nested)
// CHECK-DAG: {{^}}nested_1_counter: 1 locked, 0 recorded
// CHECK-DAG: {{^}}nested_2_counter: 1 locked, 0 recorded
#pragma uplock pop

DEFINE(after)
// CHECK-DAG: {{^}}after_counter: 1 locked, 1 recorded
