// SPDX-License-Identifier: GPL-3.0-or-later
//
// Three sites: one in .text, two in a section of its own, which a linker option
// puts into a segment of its own.
#include <stdio.h>

int count;

__attribute__((noinline, section(".far"))) static void far(void) {
  __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
  __asm__ volatile(".skip 4096, 0x90");
  __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
}

int main(void) {
  __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
  far();
  printf("%d\n", count);
}
