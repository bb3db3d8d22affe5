// SPDX-License-Identifier: GPL-3.0-or-later
//
// A region around an #include covers what the header defines, and does not
// outlast it.
// RUN: for o in 0 2; do \
// RUN:   %gcc -O$o -Wall -Werror -Wno-comment -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done

#pragma uplock keep
#include "Inputs/driver.h"
#pragma uplock pop

int (*address)(int *) = from_header;
// CHECK-DAG: {{^}}from_header: 1 locked, 0 recorded

// What counts is where the definition's name stands, not a declaration's.
int defined_below(int *p) { return from_header(p) + __atomic_fetch_add(p, 1, 5); }
// CHECK-DAG: {{^}}defined_below: 1 locked, 1 recorded
