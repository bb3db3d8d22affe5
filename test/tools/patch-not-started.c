// SPDX-License-Identifier: GPL-3.0-or-later
//
// A library's constructor runs before the program's, and with it before the
// program's runtime: what the program's file has unlocked is unlocked then, and is
// said to be. One that is locked is not.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %gcc -O2 -fPIC -shared -DLIBRARY %s -o library.so %uplock-flags
// RUN: %gcc -O2 %s -o program -Wl,-rpath,$PWD library.so %uplock-flags
// RUN: env UPLOCK=smp ./program | FileCheck %s --check-prefix=LOCKED
// LOCKED:      constructor: SMP (UPLOCK=smp)
// LOCKED-NEXT: program: SMP (not started)
// LOCKED-NEXT: main: SMP (UPLOCK=smp)
// RUN: uplock patch --up program && env UPLOCK=smp ./program | FileCheck %s
// CHECK:      constructor: UP (not started)
// CHECK-NEXT: program: UP (not started)
// CHECK-NEXT: main: SMP (UPLOCK=smp)

#include <stdio.h>
#include <uplock-process.h>

static int counter;

static void show(const char *what, enum uplock_mode mode, const char *reason) {
  printf("%s: %s (%s)\n", what, mode == UPLOCK_UP ? "UP" : "SMP", reason);
}

#ifdef LIBRARY
int library;

__attribute__((constructor)) static void construct(void) {
  __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
  struct uplock_status status = uplock_process_status();
  show("constructor", status.mode, status.reason);
  struct uplock_module program;
  uplock_process_modules(&program, 1);
  show("program", program.mode, program.reason);
}
#else
extern int library;

int main(void) {
  __atomic_fetch_add(&counter, library + 1, __ATOMIC_SEQ_CST);
  struct uplock_status status = uplock_process_status();
  show("main", status.mode, status.reason);
  return 0;
}
#endif
