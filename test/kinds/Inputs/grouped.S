/* SPDX-License-Identifier: GPL-3.0-or-later */
// Another copy of the group: one of the two is dropped, with its entry.
#include <uplock-asm.h>
#ifdef __x86_64__
#define P %rdi
#else
#define P %eax
#endif
	.section .text.grouped, "axG", @progbits, grouped, comdat
	.weak	grouped
	.type	grouped, @function
grouped:
	LOCK_PREFIX addl $3, (P)
	ret
	.size	grouped, .-grouped
	.section .note.GNU-stack, "", @progbits
