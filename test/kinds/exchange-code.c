// SPDX-License-Identifier: GPL-3.0-or-later
//
// The code of a switch: in front of the xchg, its cold part behind everything.
// RUN: %gcc -O2 -S %s %uplock -fplugin-arg-uplock-cover=exchange -o - \
// RUN:   | FileCheck %s

int exchange(int *p, int v) {
  return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);
}
// CHECK-LABEL: exchange:
// CHECK:      .L[[#SWITCH:]]:
// CHECK:      .byte 0xa9
// CHECK-NEXT: .long .L[[#COLD:]]-.-4
// CHECK:      {{^[[:space:]]+}}xchgl{{.*}}(%rdi)
// CHECK:      .L[[#COLD]]:
// CHECK:      .L[[#LOOP:]]:
// CHECK:      .L[[#LOCK:]]:
// CHECK-NEXT: lock cmpxchgl %esi, (%rdi)
// CHECK:      jne .L[[#LOOP]]
// CHECK:      .long .L[[#SWITCH]]-.
// CHECK-NEXT: .long .L[[#LOCK]]-.

int set(char *p) { return __atomic_test_and_set(p, __ATOMIC_ACQUIRE); }
// CHECK-LABEL: set:
// CHECK:      .byte 0xa9
// CHECK:      {{^[[:space:]]+}}xchgb{{.*}}(%rdi)
// CHECK:      lock cmpxchgb
// CHECK-NOT:  jne
// CHECK:      .cfi_endproc
