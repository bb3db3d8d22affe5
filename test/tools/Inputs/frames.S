// SPDX-License-Identifier: GPL-3.0-or-later
//
// Functions that only .eh_frame knows. From its second byte on, the third looks
// like a locked instruction.

.macro function
	.balign	16
	.cfi_startproc
.endm

	.text
	function
	lock incl (%rdi)
	ret
	.cfi_endproc
	function
	lock decl (%rdi)
	ret
	.cfi_endproc
#ifdef LATE
	.balign	16
	.byte	0xb8
	.cfi_startproc
	.byte	0xf0, 0xff, 0x07, 0x90
#else
	function
	movl	$0x9007fff0, %eax	// b8 f0 ff 07 90: lock incl (%rdi); nop
#endif
	lock negl (%rdi)
	ret
	.cfi_endproc
	nop			// one byte each
	nop
	function
	lock notl (%rdi)
	ret
	.cfi_endproc
	.section .note.GNU-stack, "", @progbits
