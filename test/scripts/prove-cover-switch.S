// SPDX-License-Identifier: GPL-3.0-or-later
//
// A switch that would jump to a wrong place is found: into the middle of an
// instruction, out of its function, out of the file, to code without a lock
// cmpxchg, or to one that is not in the table; one that no xchg follows; and an
// entry for a longer test, or for one with a prefix.
//
// RUN: %gcc -c %s -o %t.o
// RUN: not %prove --cover all %t.o | FileCheck %s
// RUN: %gcc -m32 -c %s -o %t.32.o
// RUN: not %prove --cover all %t.32.o | FileCheck %s

// A switch to the place; an xchg.
.macro switch place:vararg
1:	.byte	0xa9
	.long	\place - . - 4
	.pushsection .smp_locks, "a"
	.balign 4
	.long 1b - .
	.popsection
.endm
.macro function name
	.globl	\name
	.type	\name, @function
	.size	\name, 1
\name:
.endm

	.text
function middle
	switch	.Lmiddle + 1
	xchgl	%edx, (%ecx)
	ret
.Lmiddle:
	lock cmpxchgl %edx, (%ecx)
	ret

function out
	switch	.Lmiddle
	xchgl	%edx, (%ecx)
	ret

function far
	switch	elsewhere
	xchgl	%edx, (%ecx)
	ret

function none
	switch	.Lnone
	xchgl	%edx, (%ecx)
.Lnone:
	nop
	ret

function unlisted
	switch	.Lunlisted
	xchgl	%edx, (%ecx)
	ret
.Lunlisted:
	lock cmpxchgl %edx, (%ecx)
	jne	.Lunlisted
	ret

function alone
	switch	.Lalone
	ret
.Lalone:
	lock cmpxchgl %edx, (%ecx)
	ret

function prefixed
	.byte	0x66		// test $imm16, %ax
	switch	.Lunlisted
	xchgl	%edx, (%ecx)
	ret
	.section .note.GNU-stack, ""

// CHECK: prefixed: {{.*}}: .smp_locks+0x{{.*}} points 1 behind its first byte
// CHECK: middle: test {{.*}}: as a jump it leads to no instruction
// CHECK: out: test {{.*}}: as a jump it leads out of its function, to middle
// CHECK: far: test {{.*}}: as a jump it leads to no instruction
// CHECK: none: test {{.*}}: as a jump it leads to no lock cmpxchg
// CHECK: unlisted: lock cmpxchg {{.*}}: the other side of a switch, but not in the table
// CHECK: alone: test {{.*}}: in .smp_locks+0x{{.*}}, but no xchg follows
// CHECK: NOT PROVEN
