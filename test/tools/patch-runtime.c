// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program and a library that were patched for one CPU and have the runtime: on a
// machine with several it locks them again, and until then says that it has not.
// That it does so must not depend on the log.
//
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %gcc -O2 -fPIC -shared -DPLUGIN %s -o library.so %uplock-flags
// RUN: %gcc -O2 %s -o smp -Wl,-rpath,$PWD library.so %uplock-flags
// RUN: cp smp program && uplock patch --up program library.so | FileCheck %s --check-prefix=NOTE
// NOTE:      program: UP, 1 site, 1 changed
// NOTE-NEXT: program: note: on a machine with several CPUs the runtime in it locks it again, but not before its own start
// NOTE-NEXT: library.so: UP, 1 site, 1 changed
// NOTE-NEXT: library.so: note:
//
// RUN: env UPLOCK=smp ./program 2>&1 | FileCheck %s --check-prefix=SMP
// RUN: env UPLOCK=smp UPLOCK_LOG=1 ./program 2>/dev/null | FileCheck %s --check-prefix=SMP
// SMP:      lock f0, library lock f0, SMP (UPLOCK=smp), 2 changed
// SMP-NOT:  {{.}}
//
// RUN: env UPLOCK=up taskset -c 0 ./program 2>&1 | FileCheck %s --check-prefix=UP
// UP:      lock 3e, library lock 3e, UP (UPLOCK=up), 0 changed
// UP-NOT:  {{.}}
//
// Where text cannot be written it says so, without being asked.
// RUN: %gcc %root/test/runtime/Inputs/deny.c -o deny
// RUN: env UPLOCK=smp ./deny both ./program 2>&1 | FileCheck %s --check-prefix=DENIED
// DENIED-DAG: uplock: {{.*}}program: unlocked in the file, and cannot be locked again (text cannot be written): keep it on one CPU, where no update gets lost
// DENIED-DAG: uplock: {{.*}}library.so: unlocked in the file, and cannot be locked again
// DENIED:     lock 3e, library lock 3e, UP (text cannot be written), 0 changed
//
// Back again it is what it was, and patching twice changes nothing.
// RUN: cp program twice && uplock patch --up twice | FileCheck %s --check-prefix=TWICE
// TWICE: twice: UP, 1 site, 0 changed
// RUN: cmp program twice
// RUN: uplock patch --smp program && cmp program smp
//
// Of objects that were patched before the link the runtime knows nothing.
// RUN: %gcc -O2 %uplock -c -DALONE %s -o object.o && uplock patch --up object.o
// RUN: %gcc object.o -o linked %uplock-flags
// RUN: not uplock check linked | FileCheck %s --check-prefix=LINKED
// LINKED: linked: it was linked of objects for one CPU, and the runtime in it takes it for locked
// RUN: uplock patch --up linked && uplock check linked && env UPLOCK=smp ./linked | FileCheck %s --check-prefix=ALONE
// ALONE: lock f0, SMP (UPLOCK=smp), 1 changed
//
// RUN: cp smp other && head -c 28 /dev/zero > note && objcopy --update-section .note.uplock=note other
// RUN: not uplock patch --up other 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: uplock: other: section .note.uplock is not as the runtime of this release has it

//
// An archive that has the runtime among its members says so there.
// RUN: %gcc -O2 %uplock -c -DALONE %s -o object.o && cp %build/lib/libuplock.a both.a
// RUN: ar r both.a object.o && cp both.a before.a && uplock patch --up both.a
// RUN: %gcc -Wl,-u,uplock_process_start both.a -o both && uplock check both
// RUN: env UPLOCK=smp ./both | FileCheck %s --check-prefix=ALONE
// RUN: uplock patch --smp both.a && cmp both.a before.a
//
// A note that was taken out says nothing, and what is unlocked is found all the same.
// RUN: objcopy -R .note.uplock linked without && env UPLOCK=smp ./without | FileCheck %s --check-prefix=ALONE
// RUN: uplock patch --smp without && env UPLOCK=smp ./without 2>&1 | FileCheck %s --check-prefix=WITHOUT
// WITHOUT: lock f0, SMP (UPLOCK=smp), 0 changed
// RUN: uplock patch --up without | FileCheck %s --check-prefix=NO-NOTE
// NO-NOTE:     without: UP, 1 site, 1 changed
// NO-NOTE-NOT: note:
// RUN: env UPLOCK=smp ./without | FileCheck %s --check-prefix=ALONE
// RUN: env UPLOCK=up taskset -c 0 ./without | FileCheck %s --check-prefix=UNLISTED
// UNLISTED: lock f0, SMP (not among the modules that the loader lists), 1 changed
//
// Where a linker script has merged the notes, it is among them.
// RUN: echo 'SECTIONS { .notes : { *(.note.*) } } INSERT AFTER .interp;' > notes.t
// RUN: %gcc -O2 -DALONE %s -o merged -Wl,-T,notes.t %uplock-flags && uplock patch --up merged
// RUN: env UPLOCK=smp ./merged | FileCheck %s --check-prefix=ALONE

#include <stdio.h>
#include <string.h>
#include <uplock-process.h>

static int counter;

__attribute__((noinline)) static void count(void) {
  __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
}

// The first byte of COUNT that is the prefix of its addl.
static int lock_byte(void) {
  const unsigned char *byte = (const unsigned char *)count;
  while (byte[1] != 0x83)
    byte++;
  return *byte;
}

#ifdef PLUGIN
int library_lock(void) {
  count();
  return lock_byte();
}
#else
int library_lock(void);

int main(void) {
  count();
  printf("lock %02x, ", lock_byte());
#ifndef ALONE
  printf("library lock %02x, ", library_lock());
#endif
  struct uplock_status status = uplock_process_status();
  printf("%s (%s), %zu changed\n", status.mode == UPLOCK_UP ? "UP" : "SMP",
         status.reason, status.counts.changed);
  return 0;
}
#endif
