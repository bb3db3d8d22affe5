// SPDX-License-Identifier: GPL-3.0-or-later
//
// Jump tables as GCC writes them for -m32 -fPIC, one of them wrong.

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
	addl	table@GOTOFF(%ebx,%eax,4), %ebx
	jmp	*%ebx
	nop			// or else its last byte and LOCK were a branch
.Lright:	lock decl (%esi)
	ret
end with_table
	.section .rodata
	.balign 4
table:
	.long	.Lright@GOTOFF
	.text

function table_over_prefix
	addl	bad_table@GOTOFF(%ebx,%eax,4), %ebx
	jmp	*%ebx
	nop			// or else its last byte and LOCK were a branch
.Lwrong:	lock decl (%esi)
	ret
end table_over_prefix
	.section .rodata
	.balign 4
bad_table:
	.long	.Lwrong@GOTOFF + 1
	.text

function good
	lock incl (%edi)
	ret
end good

function over_prefix
	je	1f + 1
1:	lock incl (%edi)
	ret
end over_prefix
	.section .note.GNU-stack, "", @progbits
