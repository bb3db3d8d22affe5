// SPDX-License-Identifier: GPL-3.0-or-later
//
// Assembly that enters itself in the table cannot be kept: an error in a kept
// function, nothing elsewhere.
// RUN: not %gcc -O1 -c %s %uplock -o %t.o 2>&1 | FileCheck %s \
// RUN:   --implicit-check-not=error:
// RUN: %gcc -O1 -c %s -DFIXED %uplock -o %t.o
#include "../../runtime/uplock-asm.h"

#ifdef FIXED
#define LOCK "lock; "
#else
#define LOCK UPLOCK_LOCK
#endif

__attribute__((uplock_keep)) void kept(int *p) {
  asm volatile(LOCK "incl %0" : "+m"(*p));
  // CHECK: error-own-table.c:[[#@LINE-1]]:{{.*}} error: assembly in the kept function 'kept' enters itself in '.smp_locks'; use a plain 'lock'
}

void patched(int *p) { asm volatile(UPLOCK_LOCK "incl %0" : "+m"(*p)); }
