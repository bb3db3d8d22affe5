// SPDX-License-Identifier: GPL-3.0-or-later
//
// [[uplock::keep]] on functions: nothing of them is in the table, what stands
// beside them is.
// RUN: for o in 0 1 2 3 g s; do \
// RUN:   %cxx -O$o -Wall -Werror -Wno-comment -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done

int n;

[[uplock::keep]] int kept(int *p) { return __atomic_fetch_add(p, 1, 5); }
// CHECK-DAG: {{^}}kept(int*): 1 locked, 0 recorded

[[uplock::patch]] int patched(int *p) { return __atomic_fetch_add(p, 1, 5); }
// CHECK-DAG: {{^}}patched(int*): 1 locked, 1 recorded

int unmarked(int *p) { return __atomic_fetch_add(p, 1, 5); }
// CHECK-DAG: {{^}}unmarked(int*): 1 locked, 1 recorded

// The mark of a declaration is the definition's too.
[[uplock::keep]] int kept_as_declared(int *p);
int kept_as_declared(int *p) { return __atomic_fetch_sub(p, 1, 5); }
// CHECK-DAG: {{^}}kept_as_declared(int*): 1 locked, 0 recorded

struct Device {
  [[uplock::keep]] void kick();
  [[uplock::keep]] static void poll() { __atomic_fetch_add(&n, 1, 5); }
};
void Device::kick() { __atomic_fetch_or(&n, 1, 5); }
// CHECK-DAG: {{^}}Device::kick(): 1 locked, 0 recorded
void use() { Device::poll(); }
