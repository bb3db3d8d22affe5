// SPDX-License-Identifier: GPL-3.0-or-later
//
// The programmer's own mfence is left as it is: the builtin, _mm_mfence, and
// assembly. lfence and sfence are none of ours.
// RUN: %proven-c %s %t.d --cover all --mfence 4 -- -O0 -O1 -O2 -Os "-O2 -g" \
// RUN:   "-O2 -mtune=k8" "-O2 -mtune=bonnell" "-O2 -m32 -msse2" \
// RUN:   "-O2 -masm=intel" "-O2 -fnon-call-exceptions" | FileCheck %s
// CHECK-COUNT-10: 4 sites, 1 locked instructions, 3 fences, 0 stores, 0 switches, 0 xchg left, 4 mfence left: complete and exact

#include <emmintrin.h>

void intrinsic(void) { _mm_mfence(); }
void builtin(void) { __builtin_ia32_mfence(); }
void assembly(void) { __asm__ volatile("mfence" ::: "memory"); }
void basic(void) { __asm__("lfence"); }
int both(int *p, int *q) {
  *p = 1;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  _mm_mfence();
  __sync_synchronize();
  return *q;
}
void others(void) {
  _mm_lfence();
  _mm_sfence();
}
// A locked no-op in assembly: the kernel's smp_mb.
void kernel(void) {
#ifdef __x86_64__
  __asm__ volatile("lock; add{l} {$0, -4(%%rsp)|dword ptr [rsp - 4], 0}" ::: "memory", "cc");
#else
  __asm__ volatile("lock; add{l} {$0, -4(%%esp)|dword ptr [esp - 4], 0}" ::: "memory", "cc");
#endif
}
void orl(void) {
#ifdef __x86_64__
  __asm__ volatile("lock; or{l} {$0, (%%rsp)|dword ptr [rsp], 0}" ::: "memory", "cc");
#else
  __asm__ volatile("lock; or{l} {$0, (%%esp)|dword ptr [esp], 0}" ::: "memory", "cc");
#endif
}
