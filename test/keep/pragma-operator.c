// SPDX-License-Identifier: GPL-3.0-or-later
//
// _Pragma in macros: a region may begin, contain a function and end within one
// expansion.
// RUN: %gcc -O1 -c %s %uplock -o %t.o
// RUN: %sites %t.o | FileCheck %s
// RUN: %gcc -O1 -save-temps=obj -c %s %uplock -o %t.temps.o
// RUN: %sites %t.temps.o | FileCheck %s
#define KEEP _Pragma("uplock keep")
#define POP _Pragma("uplock pop")
#define KEPT(definition) KEEP definition POP

KEEP
int kept(int *p) { return __atomic_fetch_add(p, 1, 5); }
POP
int patched(int *p) { return __atomic_fetch_add(p, 2, 5); }
KEPT(int also_kept(int *p) { return __atomic_fetch_add(p, 3, 5); })
int also_patched(int *p) { return __atomic_fetch_add(p, 4, 5); }

// CHECK-DAG: {{^}}kept: 1 locked, 0 recorded
// CHECK-DAG: {{^}}patched: 1 locked, 1 recorded
// CHECK-DAG: {{^}}also_kept: 1 locked, 0 recorded
// CHECK-DAG: {{^}}also_patched: 1 locked, 1 recorded
