// SPDX-License-Identifier: GPL-3.0-or-later
//
// In a linked file, too, a function whose instructions cannot be proven is named
// with the reason, and left locked. Here the relocations are gone.
//
// RUN: %gcc -nostdlib -shared -Wl,-Bsymbolic %s -o %t.so
// RUN: uplock scan %t.so -o %t.scanned.so | FileCheck %s
// RUN: uplock list %t.scanned.so | FileCheck %s --check-prefix=LIST
// RUN: %gcc -nostdlib -shared -Wl,-Bsymbolic,-s %s -o %t.so
// RUN: uplock scan %t.so -o %t.scanned.so | FileCheck %s --check-prefix=STRIPPED
// STRIPPED: 18 functions with 19 locks: 4 covered, 15 left
// LIST: 4 sites, SMP
// LIST-NEXT: good{{$}}
// LIST-NEXT: with_table{{$}}
// LIST-NEXT: calls_by_pointer{{$}}
// LIST-NEXT: alone{{$}}

.macro function name
	.text
	.balign	16
	.globl	\name
	.type	\name, @function
\name:
	.cfi_startproc
.endm
.macro end name
	.cfi_endproc
	.size	\name, .-\name
.endm

function good
	lock incl (%rdi)
	ret
end good

function with_table
	movl	%edi, %edi
	leaq	table(%rip), %rax
	movslq	(%rax,%rdi,4), %rdx
	addq	%rdx, %rax
	jmp	*%rax
1:	lock decl (%rsi)
	ret
2:	ret
end with_table
	.section .rodata
	.balign 4
table:
	.long	1b - table
	.long	2b - table
	.long	0			// leads to no code: the end
	.text

// A jump table, one of whose entries leads behind the prefix.
function table_over_prefix
// CHECK-DAG: table_over_prefix: 1 lock left: the jump table at 0x{{[0-9a-f]+}} leads into the middle of an instruction
	leaq	bad_table(%rip), %rax
	movslq	(%rax,%rdi,4), %rdx
	addq	%rdx, %rax
	jmp	*%rax
1:	lock decl (%rsi)
	ret
end table_over_prefix
	.section .rodata
	.balign 4
bad_table:
	.long	1b - bad_table
	.long	1b + 1 - bad_table
	.long	0
	.text

// glibc's: on one thread the prefix is jumped over.
function over_prefix
// CHECK-DAG: over_prefix: 1 lock left: the operand of the instruction at 0x{{[0-9a-f]+}} leads into the middle of an instruction
	je	1f + 1
1:	lock incl (%rdi)
	ret
end over_prefix

function from_elsewhere
// CHECK-DAG: from_elsewhere: 1 lock left: the operand of the instruction at 0x{{[0-9a-f]+}} leads into the middle
	lock incl (%rdi)
	ret
end from_elsewhere
function elsewhere
	jmp	from_elsewhere + 1
end elsewhere

function by_lea
// CHECK-DAG: by_lea: 1 lock left: the operand of the instruction at 0x{{[0-9a-f]+}} leads into the middle
	lock incl (%rdi)
	ret
end by_lea
function refers
	leaq	by_lea + 1(%rip), %rax
	ret
end refers

function from_data
// CHECK-DAG: from_data: 1 lock left: the relocation at 0x{{[0-9a-f]+}} leads into the middle
	lock incl (%rdi)
	ret
end from_data
	.data
	.quad	from_data + 1
	.text

function relative_to_itself
// CHECK-DAG: relative_to_itself: 1 lock left: the word at 0x{{[0-9a-f]+}} leads into the middle
	lock incl (%rdi)
	ret
end relative_to_itself
	.section .rodata
	.balign 4
	.long	0
	.long	relative_to_itself + 1 - .
	.text

function data_inside
// CHECK-DAG: data_inside: 1 lock left: the bytes at +3 are no instruction
	lock incl (%rdi)
	.byte	0x06			// push %es, not in 64-bit mode
	ret
end data_inside

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

function label_inside
// CHECK-DAG: label_inside: 1 lock left: the symbol the_label leads into the middle
	.byte	0xf0
	.globl	the_label
the_label:
	incl	(%rdi)
	ret
end label_inside

// As hand-written loops are entered.
function computes
// CHECK-DAG: computes: 1 lock left: it may compute a jump from a place in the code
	leaq	1f(%rip), %rax
	leaq	(%rax,%rdi,2), %rax
	jmp	*%rax
1:	lock incl (%rdi)
	ret
end computes

// Tail calls jump too.
function calls_by_pointer
	lock incl (%rdi)
	leaq	good(%rip), %rsi
	jmp	*%rdx
end calls_by_pointer

// An exception that would land behind the prefix.
function lands
// CHECK-DAG: lands: 1 lock left: an exception's landing pad leads into the middle
	.cfi_lsda 0x1b, exceptions
	call	good@PLT
1:	lock incl (%rdi)
	ret
end lands
	.section .gcc_except_table, "a", @progbits
exceptions:
	.byte	0xff, 0xff, 0x01	// no types, and ULEB128 for what follows
	.uleb128 3f - 2f
2:	.uleb128 0			// from
	.uleb128 5			// length
	.uleb128 1b + 1 - lands
	.uleb128 0			// action
3:	.text

// In no function, and not known to be code: from any byte on it may be.
	.balign	16
	.byte	0x06
	.byte	0xeb, from_gap + 1 - 1f	// jmp
1:	.byte	0x06
	.balign	16, 0x06
function from_gap
// CHECK-DAG: from_gap: 1 lock left: what may be a branch at 0x{{[0-9a-f]+}}, among what is not proven, leads into the middle
	lock incl (%rdi)
	ret
end from_gap

// Entered behind its first byte, this is another branch.
function hides
	.byte	0xb8, 0xeb, by_hidden + 1 - (hides + 3), 0x90, 0x90 // mov, jmp
	ret
end hides
function by_hidden
// CHECK-DAG: by_hidden: 1 lock left: what may be run at 0x{{[0-9a-f]+}} leads into the middle
	lock incl (%rdi)
	ret
end by_hidden
function enters
	jmp	hides + 1
end enters

function alone
	lock incl (%rdi)
	ret
end alone
	lock decl (%rdi)	// behind its end
// CHECK-DAG: ?: 1 lock left: in no function

// CHECK: 18 functions with 19 locks: 4 covered, 15 left
	.section .note.GNU-stack, "", @progbits
