// SPDX-License-Identifier: GPL-3.0-or-later
//
// Regions, attributes and defaults survive -save-temps, -no-integrated-cpp and
// ready-made preprocessed source.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %cxx -O0 -save-temps -c %s %uplock -o save.o
// RUN: %sites save.o | FileCheck %s
// RUN: %cxx -O2 -no-integrated-cpp -c %s %uplock -o separate.o
// RUN: %sites separate.o | FileCheck %s
// RUN: %cxx -E -P %s %uplock -o no-lines.ii
// RUN: %cxx -O2 -c no-lines.ii %uplock -o no-lines.o
// RUN: %sites no-lines.o | FileCheck %s
// RUN: %cxx -E -fdirectives-only %s %uplock -o directives.ii
// RUN: %cxx -O2 -fpreprocessed -fdirectives-only -c directives.ii %uplock \
// RUN:   -o directives.o
// RUN: %sites directives.o | FileCheck %s
#include <atomic>

std::atomic<int> n;
#define DEFINE(name) void name() { n++; }

#pragma uplock keep
#include "Inputs/driver.h"
DEFINE(kept)
template <class T> void kept_template(T t) { n += t; }
#pragma uplock pop
[[uplock::keep]] DEFINE(kept_by_attribute)
DEFINE(patched)
template void kept_template(int);

// CHECK-DAG: {{^}}kept(): 1 locked, 0 recorded
// CHECK-DAG: {{^}}kept_by_attribute(): 1 locked, 0 recorded
// CHECK-DAG: {{^}}patched(): 1 locked, 1 recorded
// CHECK-DAG: {{^}}void kept_template<int>(int): 1 locked, 0 recorded
