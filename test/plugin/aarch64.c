// SPDX-License-Identifier: GPL-3.0-or-later
//
// A GCC for another processor builds and loads the plugin; it records nothing
// and says nothing.
// REQUIRES: aarch64
// RUN: make -C %root plugin GCC=%aarch64-gcc BUILD=%t.d > %t.log 2>&1
// RUN: %aarch64-gcc -O2 -c %s -fplugin=%t.d/uplock.so -o %t.o 2>&1 \
// RUN:   | count 0
// RUN: %aarch64-gcc -O2 -S %s -fplugin=%t.d/uplock.so -o - \
// RUN:   | FileCheck %s
// RUN: %aarch64-gcc -O2 -S %s -fplugin=%t.d/uplock.so \
// RUN:   -fplugin-arg-uplock-cover=rmw -o /dev/null 2>&1 | count 0
// RUN: not %aarch64-gcc -O2 -c %s -fplugin=%plugin -o /dev/null 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WRONG

int add(int *p) { return __atomic_fetch_add(p, 1, 5); }

// CHECK-NOT: smp_locks
// CHECK: add:
// CHECK-NOT: smp_locks
// WRONG: error: plugin 'uplock' was built for another build of GCC
