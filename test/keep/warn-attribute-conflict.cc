// SPDX-License-Identifier: GPL-3.0-or-later
//
// Of two opposite marks, on one declaration or on two, the first one holds and
// the second is ignored with a warning.
// RUN: %cxx -O2 -c %s %uplock -o %t.o 2>&1 | FileCheck %s \
// RUN:   --implicit-check-not='{{warning:|error:}}'
// RUN: %sites %t.o | FileCheck %s --check-prefix=SITES

[[uplock::keep, uplock::patch]] void kept_on_one(int *p) {
  // CHECK: warn-attribute-conflict.cc:[[#@LINE-1]]:{{[0-9]+}}: warning: ignoring attribute 'patch' because it conflicts with attribute 'uplock_keep' [-Wattributes]
  __atomic_fetch_add(p, 1, 5);
}
// SITES-DAG: {{^}}kept_on_one(int*): 1 locked, 0 recorded

[[uplock::keep]] void kept_on_two(int *p);
[[uplock::patch]] void kept_on_two(int *p) {
  // CHECK: warn-attribute-conflict.cc:[[#@LINE-1]]:{{[0-9]+}}: warning: ignoring attribute 'patch' because it conflicts with attribute 'uplock_keep' [-Wattributes]
  // CHECK: warn-attribute-conflict.cc:[[#@LINE-3]]:{{[0-9]+}}: note: previous declaration here
  __atomic_fetch_add(p, 2, 5);
}
// SITES-DAG: {{^}}kept_on_two(int*): 1 locked, 0 recorded

__attribute__((uplock_patch)) void patched_on_two(int *p);
__attribute__((uplock_keep)) void patched_on_two(int *p) {
  // CHECK: warn-attribute-conflict.cc:[[#@LINE-1]]:{{[0-9]+}}: warning: ignoring attribute 'uplock_keep' because it conflicts with attribute 'uplock_patch' [-Wattributes]
  __atomic_fetch_add(p, 3, 5);
}
// SITES-DAG: {{^}}patched_on_two(int*): 1 locked, 1 recorded

// The same mark twice is none too many.
[[uplock::keep, gnu::uplock_keep]] void kept_twice(int *p);
[[uplock::keep]] void kept_twice(int *p) { __atomic_fetch_add(p, 4, 5); }
// SITES-DAG: {{^}}kept_twice(int*): 1 locked, 0 recorded

// Members too.
struct Class {
  [[uplock::keep]] static void kept_member(int *p);
};
[[uplock::patch]] void Class::kept_member(int *p) {
  // CHECK: warn-attribute-conflict.cc:[[#@LINE-1]]:{{[0-9]+}}: warning: ignoring attribute 'uplock_patch' because it conflicts with attribute 'uplock_keep' [-Wattributes]
  __atomic_fetch_add(p, 5, 5);
}
// SITES-DAG: {{^}}Class::kept_member(int*): 1 locked, 0 recorded
