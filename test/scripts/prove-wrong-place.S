// SPDX-License-Identifier: GPL-3.0-or-later
//
// An entry that does not point at the first byte of a locked instruction is
// found: one byte behind it, one before it, at the F0 behind another prefix, at
// an instruction without LOCK, at an F0 that is data of an instruction, outside
// the code.
//
// RUN: %gcc -c %s -o %t.o
// RUN: not %prove %t.o | FileCheck %s
// RUN: %gcc -nostdlib -shared %t.o -o %t.so
// RUN: not %prove %t.so | FileCheck %s
// RUN: %gcc -m32 -c %s -o %t.32.o
// RUN: not %prove %t.32.o | FileCheck %s

.macro entry place:vararg
	.pushsection .smp_locks, "a"
	.balign 4
	.long \place - .
	.popsection
.endm

	.text
	.globl	f
	.type	f, @function
f:
1:	lock addl $1, (%ecx)
	entry	1b + 1
// CHECK: f: {{(addr32 )?}}lock addl {{.*}}: .smp_locks+0x0 points 1 behind its first byte

	nop
1:	lock subl $1, (%ecx)
	entry	1b - 1
// CHECK: f: nop: in .smp_locks+0x4, but has no LOCK prefix

1:	.byte	0x66, 0xf0, 0x83, 0x01, 0x01
	entry	1b + 1
// CHECK: f: lock addw {{.*}}: .smp_locks+0x8 points 1 behind its first byte

1:	xchgl	%eax, (%ecx)
	entry	1b
// CHECK: f: xchg {{.*}}: in .smp_locks+0xc, but has no LOCK prefix

1:	addl	$0xf0f0f0f0, %eax
	entry	1b + 1
// CHECK: f: add {{.*}}: .smp_locks+0x10 points 1 behind its first byte
	ret
	.size	f, .-f

	.data
1:	.long	0xf0f0f0f0
	entry	1b
// CHECK: .smp_locks+0x14 points at no code

// What these entries do not cover is missing.
// CHECK-NEXT: lock addl {{.*}}: not in the table
// CHECK-NEXT: lock subl {{.*}}: not in the table
// CHECK-NEXT: lock addw {{.*}}: not in the table
// CHECK-NEXT: 6 sites, 3 locked instructions, 0 fences: NOT PROVEN, 9 findings
	.section .note.GNU-stack, ""
