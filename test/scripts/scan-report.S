// SPDX-License-Identifier: GPL-3.0-or-later
//
// A row for each file, their sum, and below it each function that is left.
//
// REQUIRES: tools
// RUN: rm -rf %t.d && mkdir -p %t.d/one %t.d/two && cd %t.d
// RUN: %gcc -c %s -DOVER -o one/both.o && %gcc -c %s -o two/good.o
// RUN: %root/scripts/scan-report %build %gcc one/both.o two/good.o | FileCheck %s
// CHECK:      functions locks covered refused{{$}}
// CHECK-NEXT: {{^}}one/both.o 2 3 2 1{{$}}
// CHECK-NEXT: {{^}}two/good.o 1 2 2 0{{$}}
// CHECK-NEXT: {{^}}all 3 5 4 1{{$}}
// CHECK:      refused:
// CHECK-NEXT: {{^}}one/both.o: over: 1 lock left: the branch at .text+{{.*}} leads into the middle of an instruction

	.globl	good
	.type	good, @function
good:
	lock incl (%rdi)
	lock decl (%rdi)
	ret
	.size	good, .-good

#ifdef OVER
	.globl	over
	.type	over, @function
over:
	je	1f + 1
1:	lock incl (%rdi)
	ret
	.size	over, .-over
#endif
	.section .note.GNU-stack, ""
