// SPDX-License-Identifier: GPL-3.0-or-later
//
// Regions inside a header: closed there, they end there; what follows the
// #include is as before it.
// RUN: for o in 0 2; do \
// RUN:   %gcc -O$o -Wall -Werror -Wno-comment -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done

int before(int *p) { return __atomic_fetch_add(p, 7, 5); }
// CHECK-DAG: {{^}}before: 1 locked, 1 recorded

#include "Inputs/regions.h"

int (*addresses[])(int *) = {from_header, also_from_header};
// CHECK-DAG: {{^}}from_header: 1 locked, 0 recorded
// CHECK-DAG: {{^}}also_from_header: 1 locked, 1 recorded

int after(int *p) { return __atomic_fetch_add(p, 8, 5); }
// CHECK-DAG: {{^}}after: 1 locked, 1 recorded
