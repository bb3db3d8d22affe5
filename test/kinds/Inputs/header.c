/* SPDX-License-Identifier: GPL-3.0-or-later */
// The same in C: asm with operands, copied into several functions, and at file
// scope.
#include <stdio.h>
#include <uplock-asm.h>

#ifdef __i386__
#define CALL __attribute__((regparm(1)))
#define P "%eax"
#else
#define CALL
#define P "%rdi"
#endif
CALL void live(int *), grouped(int *), file_live(int *);

__asm__(".section .text.file_live, \"ax\", @progbits\n"
        ".globl file_live\n"
        ".type file_live, @function\n"
        "file_live: " UPLOCK_FILE_LOCK "incl (" P ")\n"
        "nop; " UPLOCK_FILE_LOCK "addl $4, (" P "); ret\n"
        ".size file_live, .-file_live\n"
        ".section .text.file_dead, \"ax\", @progbits\n"
        ".type file_dead, @function\n"
        "file_dead: " UPLOCK_FILE_LOCK "incl (" P "); ret\n"
        ".size file_dead, .-file_dead\n"
        ".text");

static inline void increment(int *p) {
  __asm__ volatile(LOCK_PREFIX "inc{l} %0\n\t" LOCK_PREFIX "inc{l} %0"
                   : "+m"(*p));
}
__attribute__((noinline)) void c_live(int *p) {
  for (int i = 0; i < 2; i++)
    increment(p);
}
__attribute__((noinline)) void c_dead(int *p) { increment(p), increment(p); }
__attribute__((noinline)) void also_mine(int *p) {
  __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
}

int main(void) {
  int count = 0;
  live(&count);
  grouped(&count);
  file_live(&count);
  c_live(&count);
  also_mine(&count);
  printf("%d\n", count);
}
