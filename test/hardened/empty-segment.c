// SPDX-License-Identifier: GPL-3.0-or-later
//
// A segment without a byte in the file, whose place there older linkers say to be
// the file's beginning: not taken for the one with the ELF header, in the program nor
// in a library.
// RUN: %gcc -O2 %s %uplock-flags -o %t
// RUN: readelf -lW %t | FileCheck %s --check-prefix=SEGMENTS
// RUN: env UPLOCK=up UPLOCK_LOG=1 taskset -c 0 %t 2>&1 | FileCheck %s
// RUN: %gcc -O2 -DLIBRARY -shared -fPIC %s %uplock-flags -o %t.so
// RUN: readelf -lW %t.so | FileCheck %s --check-prefix=SEGMENTS
// RUN: %gcc -O2 -DPROGRAM %s %t.so %uplock-flags -o %t.program
// RUN: env UPLOCK=up UPLOCK_LOG=1 taskset -c 0 %t.program 2>&1 | FileCheck %s
#include <stdio.h>

int called(void);

#ifndef PROGRAM
// Between .data and .bss, in a segment of its own.
asm(".pushsection .wxtext, \"awx\", @progbits\n ret\n .popsection");
__attribute__((aligned(4096))) char zeros[4096];
static int count;
__attribute__((noipa)) int called(void) {
  return __atomic_add_fetch(&count, 1, 5) + zeros[1];
}
#endif

#ifndef LIBRARY
int main(void) { printf("%d\n", called()); }
#endif

// SEGMENTS: LOAD {{ *}}0x00{{[01]}}000 0x{{[0-9a-f]+}} 0x{{[0-9a-f]+}} 0x000000 0x{{[0-9a-f]*[1-9a-f][0-9a-f]*}} RW
// CHECK: uplock: {{.*}}: UP (UPLOCK=up), 1 site, 1 changed, 0 mismatched
// CHECK: {{^1$}}
