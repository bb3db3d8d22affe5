// SPDX-License-Identifier: GPL-3.0-or-later
//
// Text in a segment that is writable as well (ld -N, or a section "awx"): what
// lies between two sites may be data that another thread is changing, and is not
// written back as it was.
// REQUIRES: two-cpus
// RUN: %gcc -O2 -fno-toplevel-reorder -pthread %s %uplock-flags -o %t
// RUN: %t | FileCheck %s
#include <pthread.h>
#include <stdio.h>
#include <uplock-process.h>

#define WX ".wxtext,\"awx\",@progbits"
#define IN_WX __attribute__((section(WX "#"), noinline))

int count;

// One after the other, in one page.
asm(".pushsection " WX "\n"
    "  .balign 4096\n"
    ".popsection");
IN_WX void first(void) { __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST); }
extern volatile long between;
asm(".pushsection " WX "\n"
    "  .balign 8\n"
    "  .globl between\n"
    "between: .quad 0\n"
    ".popsection");
IN_WX void last(void) { __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST); }

static volatile int stop;

static void *add(void *own) {
  while (!stop)
    for (int i = 0; i < 1000; i++) {
      between = between + 1;
      ++*(long *)own;
    }
  return NULL;
}

int main(void) {
  static long own;
  pthread_t thread;
  pthread_create(&thread, NULL, add, &own);
  size_t changed = 0;
  for (int i = 0; i < 2000; i++) {
    changed += uplock_process_switch(UPLOCK_UP).counts.changed;
    first(), last();
    changed += uplock_process_switch(UPLOCK_SMP).counts.changed;
  }
  stop = 1;
  pthread_join(thread, NULL);
  printf("changed: %zu, lost: %ld, %d\n", changed, own - between, count);
}

// CHECK: changed: 8000, lost: 0, 4000
