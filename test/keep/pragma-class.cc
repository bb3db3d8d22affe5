// SPDX-License-Identifier: GPL-3.0-or-later
//
// A region covers members that are defined in their class there, friends and
// what the compiler makes by itself.
// RUN: for o in 0 2; do \
// RUN:   %cxx -O$o -Wall -Werror -Wno-comment -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done
#include <atomic>

std::atomic<int> n;

struct Counted {
  int id = n.fetch_add(1); // part of each constructor
};

#pragma uplock keep
struct Kept {
  __attribute__((noinline)) void in_class() { n++; }
  void out_of_class();
  __attribute__((noinline)) friend void kept_friend(Kept *) { n += 2; }
  int id = n.fetch_add(3);
  __attribute__((noinline)) Kept() = default;
};
// CHECK-DAG: {{^}}Kept::in_class(){{.*}}: 1 locked, 0 recorded
// CHECK-DAG: {{^}}kept_friend(Kept*){{.*}}: 1 locked, 0 recorded
// CHECK-DAG: {{^}}Kept::Kept(){{.*}}: 1 locked, 0 recorded
#pragma uplock pop

// Its name stands outside.
void Kept::out_of_class() { n += 4; }
// CHECK-DAG: {{^}}Kept::out_of_class(): 1 locked, 1 recorded

struct Patched {
  __attribute__((noinline)) void in_class() { n += 5; }
};
// CHECK-DAG: {{^}}Patched::in_class(){{.*}}: 1 locked, 1 recorded

void use(Kept &kept, Patched &patched) {
  Kept another;
  kept.in_class();
  kept_friend(&another);
  patched.in_class();
}
