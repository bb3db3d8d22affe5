// SPDX-License-Identifier: GPL-3.0-or-later
//
// A fence that has an entry is found.
//
// RUN: %gcc -c %s -o %t.o
// RUN: not %prove %t.o | FileCheck %s
// RUN: %gcc -m32 -c %s -o %t.32.o
// RUN: not %prove %t.32.o | FileCheck %s

	.text
	.globl	f
	.type	f, @function
f:
1:	lock orl $0, (%esp)
	ret
	.size	f, .-f

	.section .smp_locks, "a"
	.balign 4
	.long 1b - .
// CHECK: f: {{.*}}lock orl $0x0,(%esp): in .smp_locks+0x0, but is a fence
// CHECK-NEXT: 1 sites, 0 locked instructions, 1 fences: NOT PROVEN, 1 findings
	.section .note.GNU-stack, ""
