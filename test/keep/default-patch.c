// SPDX-License-Identifier: GPL-3.0-or-later
//
// default=patch is what holds without the option; the last one given decides.
// RUN: %gcc -O2 -c %s %uplock -fplugin-arg-uplock-default=patch -o %t.o
// RUN: %sites %t.o | FileCheck %s --check-prefix=PATCH
// RUN: %gcc -O2 -c %s %uplock -fplugin-arg-uplock-default=patch \
// RUN:   -fplugin-arg-uplock-default=keep -o %t.o
// RUN: %sites %t.o | FileCheck %s --check-prefix=KEEP

int unmarked(int *p) { return __atomic_fetch_add(p, 1, 5); }
// PATCH: unmarked: 1 locked, 1 recorded
// KEEP:  unmarked: 1 locked, 0 recorded
