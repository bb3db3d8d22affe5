// SPDX-License-Identifier: GPL-3.0-or-later
//
// Jump tables as GCC writes them for -m32 -fno-pic; one of them is wrong, one is
// where no compiler puts it.

.macro function name
	.text
	.balign	16
	.globl	\name
	.type	\name, @function
\name:
.endm
.macro end name
	.size	\name, .-\name
.endm

function with_table
	jmp	*table(,%eax,4)
	nop			// or else its last byte and LOCK were a branch
.Lright:	lock decl (%esi)
	ret
end with_table

function over_prefix
	jmp	*bad_table(,%eax,4)
	nop
.Lwrong:	lock decl (%esi)
	ret
end over_prefix

function table_in_code
	jmp	*.Ltable(,%eax,4)
.Lhere:	lock decl (%esi)
	ret
	.balign	4
.Ltable:
	.long	.Lhere
end table_in_code

	.section .rodata
	.balign 4
table:
	.long	.Lright
bad_table:
	.long	.Lwrong + 1
	.section .note.GNU-stack, "", @progbits
