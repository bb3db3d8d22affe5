// SPDX-License-Identifier: GPL-3.0-or-later
//
// With --cover the other kinds are proven: fences, stores, and switches whose
// cold part is in the same section or in that of the function's cold part. What
// is left as it is must be just as many as said.
//
// RUN: %gcc -c %s -o %t.o
// RUN: %prove --cover all --xchg 1 --mfence 1 %t.o | FileCheck %s
// RUN: %gcc -nostdlib -shared %t.o -o %t.so
// RUN: %prove --cover all --xchg 1 --mfence 1 %t.so | FileCheck %s
// RUN: %gcc -m32 -c %s -o %t.32.o
// RUN: %prove --cover all --xchg 1 --mfence 1 %t.32.o | FileCheck %s
// RUN: %gcc -m32 -nostdlib -shared %t.32.o -o %t.32.so
// RUN: %prove --cover store,exchange,fence --xchg 1 --mfence 1 %t.32.so \
// RUN:   | FileCheck %s
// CHECK: : 9 sites, 3 locked instructions, 1 fences, 3 stores, 2 switches, 1 xchg left, 1 mfence left: complete and exact{{$}}
//
// In a file that was compiled to cover less, the rest is wrong.
// RUN: not %prove %t.o | FileCheck %s --check-prefix=RMW
// RMW: lock orl {{.*}}: in .smp_locks+0x{{.*}}, but is a fence
// RMW: 9 sites, 3 locked instructions, 1 fences: NOT PROVEN, 6 findings
// RUN: not %prove --cover rmw,fence --mfence 1 %t.o | FileCheck %s --check-prefix=FENCE
// FENCE-COUNT-5: , but has no LOCK prefix
// FENCE-NEXT: 9 sites, 3 locked instructions, 1 fences, 1 mfence left: NOT PROVEN, 5 findings
// RUN: not %prove --cover fence --mfence 1 %t.o | FileCheck %s --check-prefix=ONLY
// ONLY: lock {{.*}}, but is not covered
//
// RUN: not %prove --cover all,sotre %t.o 2>&1 | FileCheck %s --check-prefix=BAD
// BAD: argument --cover: unknown kind sotre; valid kinds are: rmw store fence exchange asm all

// Assembles an instruction and its entry.
.macro site insn:vararg
1:	\insn
	.pushsection .smp_locks, "a"
	.balign 4
	.long 1b - .
	.popsection
.endm

	.text
	.globl	f
	.type	f, @function
f:
	site	lock incl (%ecx)
	site	lock orl $0, (%esp)
	mfence
	site	xchgl %eax, (%ecx)
	site	xchgb %al, (%ecx)
	site	xchgw %ax, %gs:(%ecx)
	xchgl	%eax, (%ecx)		// its result is used
	xchgl	%eax, %edx		// not locked

	// A switch in the same section.
1:	.byte	0xa9
	.long	.Lcold - . - 4
	jmp	2f
	nop
2:	xchgl	%edx, (%ecx)
	.pushsection .smp_locks, "a"
	.long 1b - .
	.popsection
.Ljoin:
	// And one to another.
1:	.byte	0xa9
	.long	.Lcolder - . - 4
	xchgl	%edx, (%ecx)
	.pushsection .smp_locks, "a"
	.long 1b - .
	.popsection
	ret
.Lcold:
	movl	(%ecx), %eax
2:	site	lock cmpxchgl %edx, (%ecx)
	jne	2b
	jmp	.Ljoin
	.size	f, .-f

	.section .text.unlikely, "ax"
	.type	f.cold, @function
f.cold:
	nop
.Lcolder:
	xorl	%eax, %eax
	site	lock cmpxchgl %edx, (%ecx)
	jmp	.Ljoin
	.size	f.cold, .-f.cold
	.section .note.GNU-stack, ""
