// SPDX-License-Identifier: GPL-3.0-or-later
//
// A table with one entry for each locked instruction is proven, in an object
// and in a linked file, whatever other prefixes stand around LOCK; padding is
// skipped, and fences are counted apart.
//
// RUN: %gcc -c %s -o %t.o
// RUN: %prove %t.o | FileCheck %s
// RUN: %gcc -nostdlib -shared %t.o -o %t.so
// RUN: %prove %t.so | FileCheck %s
// RUN: %gcc -nostdlib -static %t.o -Wl,-e,f -o %t.exe
// RUN: %prove %t.exe | FileCheck %s
// RUN: %gcc -mx32 -c %s -o %t.x32.o
// RUN: %prove %t.x32.o | FileCheck %s
// RUN: %gcc -m32 -c %s -o %t.32.o
// RUN: %prove %t.32.o | FileCheck %s --check-prefix=I386
// RUN: %gcc -m32 -nostdlib -shared %t.32.o -o %t.32.so
// RUN: %prove %t.32.so | FileCheck %s --check-prefix=I386
//
// Three files are proven by one command.
// RUN: %prove %t.o %t.so %t.exe | FileCheck %s --check-prefix=THREE
// THREE-COUNT-3: complete and exact
//
// CHECK: {{^.*prove-complete.S.tmp.*}}: 11 sites, 11 locked instructions, 5 fences: complete and exact{{$}}
// I386: {{^.*prove-complete.S.tmp.32.*}}: 9 sites, 9 locked instructions, 4 fences: complete and exact{{$}}

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
	site	lock addl $1, (%ecx)
	site	lock; addw $1, (%ecx)
	site	.byte 0x66, 0xf0, 0x83, 0x01, 0x01	// 66 first
	site	lock addl $1, %gs:(%ecx)
	site	xacquire lock cmpxchgb %al, (%ecx)
	site	xrelease lock cmpxchg8b (%ecx)
	site	lock orl $1, (%esp)
	.pushsection .smp_locks, "a"
	.long 0
	.popsection
	xchgl	%eax, (%ecx)
	addl	$0xf0f0f0f0, %eax
	lock orl $0, (%esp)
	lock orb $0, (%esp)
	cs lock orl $0, (%esp)	// padding of -mbranches-within-32B-boundaries
	site	lock orl $0, %gs:(%esp)
	.byte	0xf0, 0x81, 0x0c, 0x24, 0, 0, 0, 0	// lock orl $0, (%[er]sp)
#ifdef __x86_64__
	site	lock cmpxchg16b (%rcx)
	site	lock orl $0, (%r12)
	lock orq $0, (%rsp)
#endif
	ret
	.size	f, .-f

	.section .text.unlikely, "ax"
	.type	f.cold, @function
f.cold:
	site	lock btsl $3, 4(%ecx)
	ret
	.size	f.cold, .-f.cold
	.section .note.GNU-stack, ""
