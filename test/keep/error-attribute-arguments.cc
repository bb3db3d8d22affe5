// SPDX-License-Identifier: GPL-3.0-or-later
//
// The attributes take no arguments.
// RUN: not %cxx -c %s %uplock -o %t.o 2>&1 | FileCheck %s \
// RUN:   --implicit-check-not='{{warning:|error:}}'

__attribute__((uplock_keep(1))) void gnu();
// CHECK: error-attribute-arguments.cc:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*arguments.*}}

[[uplock::keep(1)]] void scoped();
// CHECK: error-attribute-arguments.cc:[[#@LINE-1]]:{{[0-9]+}}: error: {{.*arguments.*}}
