/* SPDX-License-Identifier: GPL-3.0-or-later */
// Functions in sections of their own, live and dead, and one in a group.
#include <uplock-asm.h>

.macro function name
	.globl	\name
	.type	\name, @function
\name:
.endm

#ifdef __x86_64__
#define P %rdi
#else
#define P %eax
#endif

	.section .text.live, "ax", @progbits
function live
	LOCK_PREFIX incl (P)
1:	LOCK_PREFIX addl $2, (P)
	UPLOCK_LOCK; decl (P)
	ret
	.size	live, .-live

	.section .text.dead, "ax", @progbits
function dead
	LOCK_PREFIX incl (P)
	LOCK_PREFIX incl 4(P)
	ret
	.size	dead, .-dead

	.section .text.grouped, "axG", @progbits, grouped, comdat
	.weak	grouped
	.type	grouped, @function
grouped:
	LOCK_PREFIX addl $3, (P)
	ret
	.size	grouped, .-grouped
	.section .note.GNU-stack, "", @progbits
