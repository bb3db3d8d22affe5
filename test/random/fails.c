// SPDX-License-Identifier: GPL-3.0-or-later
//
// scripts/random-programs says which program does not hold, and which is wrong
// without the plugin, too: that one is counted apart.
// RUN: not %root/scripts/random-programs %build %gcc %cxx --first 900001 --cover rmw \
// RUN:   --flags="-O1 -DLOCK" --program %s | FileCheck %s
// CHECK: {{^}}table
// CHECK-NEXT: program 900001: {{.*}}random-programs {{.*}} --program {{.*}}fails.c
// CHECK: 1 programs, 0 sites: 0 hold, 1 do not, 0 are compiled wrongly without the plugin
//
// RUN: %root/scripts/random-programs %build %gcc %cxx --first 900002 --cover rmw \
// RUN:   --flags=-O1 --program %s | FileCheck %s --check-prefix=FAULT
// FAULT: {{^}}the compiler's own fault
// FAULT-NEXT: program 900002: {{.*}}fails.c
// FAULT: 1 programs, 0 sites: 0 hold, 0 do not, 1 are compiled wrongly without the plugin

#include <stdio.h>

int counter;

#ifdef LOCK // which the plugin does not see
__asm__("lock incl counter");
#endif

int main(void) {
  __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
#if defined PLAIN && !defined LOCK
  puts("not what the compiler makes of it with atomics");
#endif
}
