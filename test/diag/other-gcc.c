// SPDX-License-Identifier: GPL-3.0-or-later
//
// Loaded into a GCC of another release, the plugin says both versions and what
// to do, once, and compiles nothing.
// REQUIRES: other-gcc
// RUN: not %other-gcc -c %s -fplugin=%plugin -o %t.o 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=error:
// RUN: not ls %t.o

int f(void) { return 0; }

// CHECK: error: plugin 'uplock' was built for GCC {{[0-9.]+}} and cannot work in GCC {{[0-9.]+}}; use the one of this release, or build it with 'make GCC='
