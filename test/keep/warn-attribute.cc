// SPDX-License-Identifier: GPL-3.0-or-later
//
// The attributes are for functions; anywhere else they are ignored with a
// warning, one each, under -Wattributes.
// RUN: %cxx -std=c++17 -c %s %uplock -o %t.o 2>&1 | FileCheck %s \
// RUN:   --implicit-check-not='{{warning:|error:}}'
// RUN: %cxx -std=c++17 -Wno-attributes -c %s %uplock -o %t.o 2>&1 | count 0
// RUN: not %cxx -std=c++17 -Werror=attributes -c %s %uplock -o %t.o

[[uplock::keep]] int variable;
// CHECK: warn-attribute.cc:[[#@LINE-1]]:{{[0-9]+}}: warning: 'keep' attribute ignored: it is for functions [-Wattributes]

__attribute__((uplock_patch)) extern int gnu_variable;
// CHECK: warn-attribute.cc:[[#@LINE-1]]:{{[0-9]+}}: warning: 'uplock_patch' attribute ignored: it is for functions [-Wattributes]

typedef int alias __attribute__((uplock_keep));
// CHECK: warn-attribute.cc:[[#@LINE-1]]:{{[0-9]+}}: warning: 'uplock_keep' attribute ignored: it is for functions [-Wattributes]

struct Class {
  [[uplock::keep]] int member;
  // CHECK: warn-attribute.cc:[[#@LINE-1]]:{{[0-9]+}}: warning: 'keep' attribute ignored: it is for functions [-Wattributes]
};

struct [[uplock::keep]] Marked {};
// CHECK: warn-attribute.cc:[[#@LINE-1]]:{{[0-9]+}}: warning: 'keep' attribute {{.*}} [-Wattributes]

void parameter([[uplock::keep]] int);
// CHECK: warn-attribute.cc:[[#@LINE-1]]:{{[0-9]+}}: warning: 'keep' attribute ignored: it is for functions [-Wattributes]

[[uplock::kept]] void misspelt();
// CHECK: warn-attribute.cc:[[#@LINE-1]]:{{[0-9]+}}: warning: 'uplock::kept' scoped attribute directive ignored [-Wattributes]
