// SPDX-License-Identifier: GPL-3.0-or-later
//
// With -mbranches-within-32B-boundaries gas puts an instruction and the branch
// behind it into one line of 32 bytes. The filling comes between the label of a
// site and its instruction: the entry leads to a nop, and the site stays locked.
// RUN: %gcc -O2 %s -Wa,-mbranches-within-32B-boundaries %uplock-flags -o %t
// RUN: objdump -d --no-show-raw-insn %t | FileCheck %s --check-prefix=CODE
// RUN: env UPLOCK=up UPLOCK_LOG=1 taskset -c 0 %t 2>&1 | FileCheck %s
// RUN: not uplock check %t | FileCheck %s --check-prefix=FOUND
#include <stdio.h>

long counter = 1;
int drop(void);

__asm__("	.pushsection .text.drop, \"ax\"\n"
        "	.p2align 5\n"
        "drop:\n"
        "	lea counter(%rip), %rcx\n"
        "	mov $1, %eax\n"
        "	.skip 31 - 14, 0x90\n"
        "	je 2f\n"
        "0:	lock subq %rax, (%rcx)\n"
        "	jne 1f\n"
        "	ret\n"
        "1:	xor %eax, %eax\n"
        "2:\n"
        "	ret\n"
        "	.pushsection .smp_locks, \"a\"\n"
        "	.p2align 2\n"
        "	.long 0b - .\n"
        "	.popsection\n"
        "	.popsection\n");

int main(void) { printf("last %d\n", drop()); }

// CODE: <drop>:
// CODE: je
// CODE-NEXT: nop
// CODE-NEXT: lock sub %rax,(%rcx)
// CODE-NEXT: jne
// CHECK: SMP (UPLOCK=up), 1 site, 0 changed, 1 mismatched
// CHECK: last 1
// FOUND: drop: nop: in .smp_locks+0x0, but has no LOCK prefix
