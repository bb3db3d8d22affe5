// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two entries for one instruction are found, in one table section or in two.
//
// RUN: %gcc -c %s -o %t.o
// RUN: not %prove %t.o | FileCheck %s
// RUN: %gcc -nostdlib -shared %t.o -o %t.so
// RUN: not %prove %t.so | FileCheck %s
// RUN: %gcc -m32 -c %s -o %t.32.o
// RUN: not %prove %t.32.o | FileCheck %s

	.text
	.globl	f
	.type	f, @function
f:
1:	lock decl (%ecx)
	ret
	.size	f, .-f

	.section .smp_locks, "a", @progbits, unique, 1
	.balign 4
	.long 1b - .
	.section .smp_locks, "a", @progbits, unique, 2
	.balign 4
	.long 1b - .
// CHECK: f: {{.*}}lock decl {{.*}}: in .smp_locks+0x0, and again in .smp_locks+0x
// CHECK-NEXT: 2 sites, 1 locked instructions, 0 fences: NOT PROVEN, 1 findings
	.section .note.GNU-stack, ""
