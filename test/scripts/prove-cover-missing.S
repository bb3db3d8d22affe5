// SPDX-License-Identifier: GPL-3.0-or-later
//
// What --cover demands and the table lacks is found: a fence, a store, an
// exchange without a switch, an mfence that the compiler should have replaced.
//
// RUN: %gcc -c %s -o %t.o
// RUN: not %prove --cover all %t.o | FileCheck %s --check-prefix=NONE
// RUN: not %prove --cover all --xchg 2 --mfence 1 %t.o | FileCheck %s --check-prefix=LEFT
// RUN: not %prove --cover store --xchg 3 %t.o | FileCheck %s --check-prefix=MANY
// RUN: not %prove --cover asm %t.o | FileCheck %s --check-prefix=PREFIX
// RUN: %gcc -m32 -c %s -o %t.32.o
// RUN: not %prove --cover all %t.32.o | FileCheck %s --check-prefix=NONE

	.text
	.globl	f
	.type	f, @function
f:
	lock incl (%ecx)
	lock orl $0, (%esp)
	mfence
	xchgl	%eax, (%ecx)
	test	$1, %eax
	lock xchgl %eax, (%ecx)		// locked without LOCK
	ret
	.size	f, .-f
	.section .note.GNU-stack, ""

// NONE: lock incl {{.*}}: not in the table
// NONE-NEXT: lock orl {{.*}}: not in the table
// NONE-NEXT: mfence: not in the table
// NONE-NEXT: 1 mfence are left as they are, not 0
// NONE-NEXT: xchg {{.*}}: not in the table
// NONE-NEXT: lock xchg {{.*}}: not in the table
// NONE-NEXT: 2 xchg are left as they are, not 0
// NONE-NEXT: NOT PROVEN, 7 findings

// LEFT: lock incl {{.*}}: not in the table
// LEFT-NEXT: lock orl {{.*}}: not in the table
// LEFT-NEXT: 2 xchg left, 1 mfence left: NOT PROVEN, 2 findings

// MANY: 2 xchg are left as they are, not 3

// PREFIX: lock incl {{.*}}: not in the table
// PREFIX-NEXT: NOT PROVEN, 1 findings
