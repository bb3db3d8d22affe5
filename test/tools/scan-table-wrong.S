// SPDX-License-Identifier: GPL-3.0-or-later
//
// A jump table that leads into the middle of an instruction is found, as
// distances from the table and as addresses.
//
// RUN: %gcc -c %s -o %t.o
// RUN: uplock scan %t.o -o %t.scanned.o | FileCheck %s
// RUN: %gcc -DADDRESSES -c %s -o %t.o
// RUN: uplock scan %t.o -o %t.scanned.o | FileCheck %s
// CHECK: f: 1 lock left: the relocation at .rodata+0x{{[48]}} leads into the middle of an instruction
// CHECK: 1 function with 1 lock: 0 covered, 1 left

	.text
	.globl	f
	.type	f, @function
f:
	leaq	table(%rip), %rax
	jmp	*%rax
1:	lock decl (%rsi)
	ret
	.size	f, .-f
	.section .rodata
	.balign 4
table:
#ifdef ADDRESSES
	.quad	1b
	.quad	1b + 1
#else
	.long	1b - table
	.long	1b + 1 - table
#endif
	.section .note.GNU-stack, ""
