/* SPDX-License-Identifier: GPL-3.0-or-later */
#include <uplock-asm.h>
static int count;
void once(void) { __asm__ volatile(UPLOCK_LOCK "inc{l} %0" : "+m"(count)); }
void twice(void) {
  __asm__ volatile(LOCK_PREFIX "inc{l} %0; nop; " LOCK_PREFIX "dec{l} %0"
                   : "+m"(count)
                   :
                   : "memory");
}
#ifndef INTEL
__asm__("f: " UPLOCK_FILE_LOCK "notl (%rsp); ret");
#endif
