// SPDX-License-Identifier: GPL-3.0-or-later
//
// The initialisers of variables in a region are kept, although C++ runs them in
// a function that it makes up at the end of the file.
// RUN: %cxx -O0 -c %s %uplock -o %t.0.o
// RUN: %sites %t.0.o | FileCheck %s
// RUN: %cxx -O2 -c %s %uplock -o %t.2.o
// RUN: %sites %t.2.o | FileCheck %s
int cell;

#pragma uplock keep
int first = __atomic_fetch_add(&cell, 1, 5);
thread_local int second = __atomic_fetch_add(&cell, 2, 5);
int use() { return second; }
#pragma uplock pop

int patched() { return __atomic_fetch_add(&cell, 3, 5); }

// CHECK-DAG: {{(_GLOBAL__|__static_init|__tls_init|TLS init).*}}: 1 locked, 0 recorded
// CHECK-DAG: patched(): 1 locked, 1 recorded
