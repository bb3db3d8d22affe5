// SPDX-License-Identifier: GPL-3.0-or-later
//
// A function whose instructions cannot be proven is named with the reason, and
// left locked; the others of the file are not.
//
// RUN: %gcc -c %s -o %t.o
// RUN: uplock scan %t.o -o %t.scanned.o | FileCheck %s
// RUN: uplock list %t.scanned.o | FileCheck %s --check-prefix=LIST
// LIST: 3 sites, SMP
// LIST-NEXT: good{{$}}
// LIST-NEXT: with_table{{$}}
// LIST-NEXT: alone{{$}}

.macro function name
	.section .text.\name, "ax", @progbits
	.globl	\name
	.type	\name, @function
\name:
.endm
.macro end name
	.size	\name, .-\name
.endm

function good
	lock incl (%rdi)
	ret
end good

// A jump table in the code, of absolute addresses and only behind a jump.
function with_table
	movl	%edi, %edi
	leaq	table(%rip), %rax
	movslq	(%rax,%rdi,4), %rdx
	addq	%rdx, %rax
	jmp	*%rax
1:	lock decl (%rsi)
	ret
end with_table
	.section .rodata
	.balign 4
	.long	0
table:
	.long	1b - table
	.long	1b + 3 - table

function over_prefix
// CHECK-DAG: over_prefix: 1 lock left: the branch at .text.over_prefix+0x0 leads into the middle of an instruction
	je	1f + 1
1:	lock incl (%rdi)
	ret
end over_prefix

function from_elsewhere
// CHECK-DAG: from_elsewhere: 1 lock left: the operand of the instruction at .text.elsewhere+0x0 leads into the middle
	lock incl (%rdi)
.Lmiddle:
	ret
end from_elsewhere

function elsewhere
	jmp	from_elsewhere + 1
end elsewhere

function from_data
// CHECK-DAG: from_data: 1 lock left: the relocation at .data+0x0 leads into the middle
	lock incl (%rdi)
	ret
end from_data
	.data
	.quad	from_data + 2

function data_inside
// CHECK-DAG: data_inside: 1 lock left: the bytes at +3 are no instruction
	lock incl (%rdi)
	.byte	0x06			// push %es, not in 64-bit mode
	ret
end data_inside

function cut_off
// CHECK-DAG: cut_off: 1 lock left: the bytes at +3 are no instruction
	lock incl (%rdi)
	.byte	0x48, 0xb8		// movabs, without its operand
end cut_off

function outer
// CHECK-DAG: outer: 2 locks left: the function inner overlaps it
	lock incl (%rdi)
	.globl	inner
	.type	inner, @function
inner:
	lock decl (%rdi)
	ret
	.size	inner, .-inner
end outer

function opcode
// CHECK-DAG: opcode: 1 lock left: a relocation changes the opcode at .text.opcode+0x
	lock incl (%rdi)
	.byte	opcode_byte, 0xc0
	ret
end opcode

function label_inside
// CHECK-DAG: label_inside: 1 lock left: the symbol the_label leads into the middle
	.byte	0xf0
	.globl	the_label
the_label:
	incl	(%rdi)
	ret
end label_inside

function alone
	lock incl (%rdi)
	ret
end alone
	lock decl (%rdi)	// behind its end
// CHECK-DAG: ?: 1 lock left: in no function

function beside_data
// CHECK-DAG: beside_data: 1 lock left: bytes of its section that are in no function are no instructions
	lock incl (%rdi)
	ret
end beside_data
	.byte	0x06, 0x06

// CHECK: scan-refuses.S.tmp.scanned.o: 13 functions with 14 locks: 3 covered, 11 left
	.section .note.GNU-stack, ""
