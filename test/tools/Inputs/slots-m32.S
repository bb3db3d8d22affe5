// SPDX-License-Identifier: GPL-3.0-or-later
//
// Calls through a slot that holds the address of PLT code, near 0x1000. That and
// the callee's address together are in `locked`, mostly within an instruction.

	.text
	.globl	callee
	.type	callee, @function
callee:
	.cfi_startproc
	ret
	.cfi_endproc
	.size	callee, .-callee

	.globl	caller
	.type	caller, @function
caller:
	.cfi_startproc
	jmp	callee@PLT
	.cfi_endproc
	.size	caller, .-caller

	.globl	locked
	.type	locked, @function
locked:
	.cfi_startproc
	.fill	3900, 1, 0x90
	.rept	64
	lock addl $0x12345678, 0x12345678(%ebx)
	.endr
	ret
	.cfi_endproc
	.size	locked, .-locked
	.section .note.GNU-stack, "", @progbits
