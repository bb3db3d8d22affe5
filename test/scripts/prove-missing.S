// SPDX-License-Identifier: GPL-3.0-or-later
//
// A locked instruction without an entry is found.
//
// RUN: %gcc -c %s -o %t.o
// RUN: not %prove %t.o | FileCheck %s
// RUN: %gcc -nostdlib -shared %t.o -o %t.so
// RUN: not %prove %t.so | FileCheck %s
// RUN: %gcc -m32 -c %s -o %t.32.o
// RUN: not %prove %t.32.o | FileCheck %s
//
// Also where there is no table at all.
// RUN: %gcc -DNO_TABLE -c %s -o %t.none.o
// RUN: not %prove %t.none.o | FileCheck %s --check-prefix=NONE

	.text
	.globl	first, second
	.type	first, @function
first:
1:	lock addl $1, (%ecx)
// NONE: .o: .text+{{0x[01]}} first: lock {{.*}}: not in the table
	ret
	.size	first, .-first
	.type	second, @function
second:
// CHECK: {{.s?o: (.text\+)?0x[0-9a-f]+}} second: lock xadd %eax,{{.*}}: not in the table
// NONE: second: lock xadd
	lock xaddl %eax, (%ecx)
	ret
	.size	second, .-second

#ifndef NO_TABLE
	.section .smp_locks, "a"
	.balign 4
	.long 1b - .
#endif
// CHECK-NEXT: {{.s?o}}: 1 sites, 2 locked instructions, 0 fences: NOT PROVEN, 1 findings
// NONE-NEXT: 0 sites, 2 locked instructions, 0 fences: NOT PROVEN, 2 findings
	.section .note.GNU-stack, ""
