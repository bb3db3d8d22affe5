// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is no entry at all is found: a number, an absolute address, an entry
// that is not in its code's COMDAT group, one for code in another file, a table
// that is not loaded, one that the dynamic loader would have to relocate.
//
// RUN: %gcc -c %s -o %t.o
// RUN: not %prove %t.o | FileCheck %s
// RUN: %gcc -DUNLOADED -c %s -o %t.unloaded.o
// RUN: not %prove %t.unloaded.o | FileCheck %s --check-prefix=UNLOADED
// RUN: %gcc -DDYNAMIC -c %s -o %t.dynamic.o
// RUN: %gcc -nostdlib -shared -Wl,-z,notext %t.dynamic.o -o %t.so
// RUN: not %prove %t.so | FileCheck %s --check-prefix=DYNAMIC

	.section .text.f, "axG", @progbits, f, comdat
	.weak	f
	.type	f, @function
f:
1:	lock decl (%rcx)
	ret
	.size	f, .-f

#if defined UNLOADED
	.section .smp_locks, "G", @progbits, f, comdat
	.balign 4
	.long 1b - .
// UNLOADED: .smp_locks: is not loaded (the flag SHF_ALLOC is missing)
// UNLOADED-NEXT: 1 sites, 1 locked instructions, 0 fences: NOT PROVEN, 1 findings
#elif defined DYNAMIC
	.section .smp_locks, "aw"
	.balign 4
	.quad f
// DYNAMIC: .smp_locks+0x0: the dynamic loader would relocate it
#else
	.section .smp_locks, "a"
	.balign 4
// CHECK: .smp_locks: its size 17 is no multiple of 4
	.long 17
// CHECK-NEXT: .smp_locks+0x0: 17 without a relocation
	.long f
// CHECK-NEXT: .smp_locks+0x4: relocation of type 10, not PC32
	.long elsewhere - .
// CHECK-NEXT: .smp_locks+0x8: refers to elsewhere elsewhere
	.long 1b - .
// CHECK-NEXT: .smp_locks+0xc: is in group none, its code .text.f in group f: a linker may drop one of them
	.byte 1
// CHECK-NEXT: 1 sites, 1 locked instructions, 0 fences: NOT PROVEN, 5 findings
#endif
	.section .note.GNU-stack, ""
