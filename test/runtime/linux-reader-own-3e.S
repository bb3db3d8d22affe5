// SPDX-License-Identifier: GPL-3.0-or-later
//
// Linux's reader takes a 3E that an instruction had from the start for one of
// its own, and writes F0 over it when it locks. What comes of it is locked
// once more, and does what it did.
// RUN: %gcc %s -o %t
// RUN: %root/test/runtime/Inputs/linux-reader.py %t %t.up %t.smp | FileCheck %s
// RUN: %t.up && %t.smp

// CHECK: 3e f0 ff 05 {{.*}} lock in main
// CHECK-NEXT: 3e 87 05 {{.*}} xchg in main
// CHECK: 3 sites, 2 skipped
// CHECK: back: 2 bytes differ
// CHECK-NEXT: 3e f0 ff 05 {{.*}} is f0 f0 ff 05
// CHECK-NEXT: 3e 87 05 {{.*}} is f0 87 05

        .text
        .globl  main
        .type   main, @function
main:
0:      .byte   0x3e
        lock incl number(%rip)
1:      lock incl number(%rip)
        movl    $5, %eax
2:      .byte   0x3e
        xchgl   %eax, number(%rip)      // 2, now 5
        addl    number(%rip), %eax
        subl    $7, %eax
        ret
        .size   main, .-main

        .section .smp_locks, "a", @progbits
        .balign 4
        .long   0b-., 1b-., 2b-.

        .data
number: .long   0
        .section .note.GNU-stack, "", @progbits
