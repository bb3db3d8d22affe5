// SPDX-License-Identifier: GPL-3.0-or-later
//
// A virtual function is kept when it is called through the table, when the
// compiler knows which one is called, and through a thunk.
// RUN: for o in 0 1 2 3 s; do \
// RUN:   %cxx -O$o -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s \
// RUN:     --implicit-check-not='Kept{{.*}} {{[1-9]}} recorded' || exit; done
#include <atomic>

std::atomic<int> n;

struct First {
  virtual int first() = 0;
};
struct Second {
  virtual int second() = 0;
};

struct Kept final : First, Second {
  [[uplock::keep]] int first() override { return n++; }
  [[uplock::keep]] int second() override;
};
int Kept::second() { return n.fetch_sub(2); }
// CHECK-DAG: {{^}}Kept::first(){{.*}}: 1 locked, 0 recorded
// CHECK-DAG: {{^}}Kept::second(){{.*}}: 1 locked, 0 recorded
// CHECK-DAG: {{^}}non-virtual thunk to Kept::second(){{.*}} 0 recorded

int patched(Kept &kept) {
  First *first = &kept;
  Second *second = &kept;
  n += 3;
  return first->first() + second->second();
}
// CHECK-DAG: {{^}}patched(Kept&): 1 locked, 1 recorded

First *make() { return new Kept; }
