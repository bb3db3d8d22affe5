// SPDX-License-Identifier: GPL-3.0-or-later
//
// Pragmas that are wrong are ignored with a warning, one each.
// RUN: %gcc -O2 -Wall -Wno-comment -c %s %uplock -o %t.o 2>&1 | FileCheck %s \
// RUN:   --implicit-check-not='{{warning:|error:}}'
// RUN: %sites %t.o | FileCheck %s --check-prefix=SITES
// RUN: %gcc -O2 -c %s %uplock -Wno-pragmas -Wno-unknown-pragmas -o %t.o 2>&1 \
// RUN:   | count 0

#pragma uplock pop
// CHECK: warn-pragma.c:[[#@LINE-1]]:{{[0-9]+}}: warning: no matching '#pragma uplock keep' or '#pragma uplock patch' for '#pragma uplock pop' [-Wpragmas]

#pragma uplock keep all
// CHECK: warn-pragma.c:[[#@LINE-1]]:{{[0-9]+}}: warning: junk at end of '#pragma uplock keep' [-Wpragmas]

void patched(int *p) {
#pragma uplock keep
  // CHECK: warn-pragma.c:[[#@LINE-1]]:{{[0-9]+}}: warning: '#pragma uplock keep' is not allowed inside functions [-Wpragmas]
  __atomic_fetch_add(p, 1, 5);
}
// SITES-DAG: {{^}}patched: 1 locked, 1 recorded

#pragma uplock kepe
// CHECK: warn-pragma.c:[[#@LINE-1]]{{.*}}: warning: ignoring '#pragma uplock kepe' [-Wunknown-pragmas]

#pragma uplock patch
#pragma uplock pop(1)
// CHECK: warn-pragma.c:[[#@LINE-1]]:{{[0-9]+}}: warning: junk at end of '#pragma uplock pop' [-Wpragmas]
#pragma uplock pop

void also_patched(int *p) { __atomic_fetch_add(p, 2, 5); }
// SITES-DAG: {{^}}also_patched: 1 locked, 1 recorded
