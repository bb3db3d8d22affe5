// SPDX-License-Identifier: GPL-3.0-or-later
//
// A table, its references and other data make no difference to the text, in
// objects and, where relocations were kept, in linked files.
//
// RUN: %gcc -c %s -o %t.without.o
// RUN: %gcc -DWITH -c %s -o %t.with.o
// RUN: %identical %t.without.o %t.with.o | FileCheck %s
// RUN: %gcc -nostdlib -static -Wl,-e,f,--emit-relocs %t.without.o -o %t.without.exe
// RUN: %gcc -nostdlib -static -Wl,-e,f,--emit-relocs %t.with.o -o %t.with.exe
// RUN: %identical %t.without.exe %t.with.exe | FileCheck %s
// RUN: %gcc -m32 -c %s -o %t.without.32.o
// RUN: %gcc -m32 -DWITH -c %s -o %t.with.32.o
// RUN: %identical %t.without.32.o %t.with.32.o | FileCheck %s
//
// CHECK: {{^.*without.*with.*}}: {{[12] sections, [0-9]+}} bytes of code: identical

	.text
	.globl	f
	.type	f, @function
f:
1:	lock incl (%ecx)
	mov	counter, %eax
	mov	string, %eax
	ret
	.size	f, .-f
#ifdef WITH
	.section .smp_locks, "a"
.Ltable:
	.balign 4
	.long 1b - .
	.text
#ifdef __x86_64__
	.reloc	1b, R_X86_64_NONE, .Ltable
#else
	.reloc	1b, R_386_NONE, .Ltable
#endif
#endif
	.section .text.g, "axG", @progbits, g, comdat
	.weak	g
	.type	g, @function
g:
	jmp	f
	.size	g, .-g

	.section .rodata.str1.1, "aMS", @progbits, 1
string:
	.asciz	"text"
	.local	counter
	.comm	counter, 4
	.section .note.GNU-stack, ""
