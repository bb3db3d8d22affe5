// SPDX-License-Identifier: GPL-3.0-or-later
//
// All copies that the compiler makes of a constructor or destructor are kept:
// of the complete object, of the base, and deleting.
// RUN: for o in 0 1 2 3 s; do \
// RUN:   %cxx -O$o -c %s %uplock -o %t.$o.o && \
// RUN:   nm %t.$o.o | FileCheck %s --check-prefix=COPIES && \
// RUN:   %sites %t.$o.o | FileCheck %s \
// RUN:     --implicit-check-not='Kept{{.*}} {{[1-9]}} recorded' || exit; done
#include <atomic>

std::atomic<int> n;

struct Base {
  virtual ~Base() { n -= 4; }
};

struct Kept : virtual Base {
  [[uplock::keep]] Kept();
  [[uplock::keep]] ~Kept();
};
Kept::Kept() { n++; }
Kept::~Kept() { n--; }
// COPIES-DAG: _ZN4KeptC1Ev
// COPIES-DAG: _ZN4KeptC2Ev
// COPIES-DAG: _ZN4KeptD0Ev
// COPIES-DAG: _ZN4KeptD1Ev
// COPIES-DAG: _ZN4KeptD2Ev
// CHECK-DAG: {{^}}Kept::Kept(): 1 locked, 0 recorded
// CHECK-DAG: {{^}}Kept::Kept(): 1 locked, 0 recorded
// CHECK-DAG: {{^}}Kept::~Kept(): 1 locked, 0 recorded

struct Patched {
  Patched();
};
Patched::Patched() { n++; }
// CHECK-DAG: {{^}}Patched::Patched(): 1 locked, 1 recorded
