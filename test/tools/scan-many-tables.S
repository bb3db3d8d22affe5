// SPDX-License-Identifier: GPL-3.0-or-later
//
// Words of data may be relative to any global offset table. Linkers make one or two:
// a file that claims thousands would keep scan busy for hours.
// RUN: %gcc -shared -nostdlib %s -o %t.so && rm -f %t.out
// RUN: not uplock scan %t.so -o %t.out 2>&1 | FileCheck %s
// CHECK: uplock: {{.*}}.so: more than 16 global offset tables: damaged
// RUN: not ls %t.out
// RUN: %gcc -shared -nostdlib -DTABLES=2 %s -o %t.so && uplock scan %t.so -o %t.out
#ifndef TABLES
#define TABLES 20000
#endif
	.globl	f
	.type	f, @function
f:	lock incl (%rdi)
	ret
	.size	f, .-f
	.section .more, "a", @6 // SHT_DYNAMIC
	.set	table, 0x1000
	.rept	TABLES
	.quad	3, table // DT_PLTGOT
	.set	table, table + 8
	.endr
