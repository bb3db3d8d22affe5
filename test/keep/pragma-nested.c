// SPDX-License-Identifier: GPL-3.0-or-later
//
// Regions nest; pop goes back to what held before.
// RUN: for o in 0 2; do \
// RUN:   %gcc -O$o -Wall -Werror -Wno-comment -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done

int n;
#define BODY { __atomic_fetch_add(&n, __LINE__, 5); }

void before(void) BODY
// CHECK-DAG: {{^}}before: 1 locked, 1 recorded

#pragma uplock keep
void outer(void) BODY
// CHECK-DAG: {{^}}outer: 1 locked, 0 recorded

#pragma uplock patch
void inner(void) BODY
// CHECK-DAG: {{^}}inner: 1 locked, 1 recorded

#pragma uplock keep
void innermost(void) BODY
// CHECK-DAG: {{^}}innermost: 1 locked, 0 recorded

#pragma uplock pop
void inner_again(void) BODY
// CHECK-DAG: {{^}}inner_again: 1 locked, 1 recorded

#pragma uplock pop
void outer_again(void) BODY
// CHECK-DAG: {{^}}outer_again: 1 locked, 0 recorded

// The attribute is nearer than the pragma.
__attribute__((uplock_patch)) void exception(void) BODY
// CHECK-DAG: {{^}}exception: 1 locked, 1 recorded

#pragma uplock pop
void after(void) BODY
// CHECK-DAG: {{^}}after: 1 locked, 1 recorded

_Pragma("uplock keep")
void by_operator(void) BODY
_Pragma("uplock pop")
// CHECK-DAG: {{^}}by_operator: 1 locked, 0 recorded

// A region that is not closed ends with the file.
#pragma uplock keep
void last(void) BODY
// CHECK-DAG: {{^}}last: 1 locked, 0 recorded
