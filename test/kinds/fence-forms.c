// SPDX-License-Identifier: GPL-3.0-or-later
//
// Every seq_cst fence is recorded. Where this GCC emits a locked no-op anyway,
// the text does not change.
// RUN: %proven-c %s %t.d --cover fence --identical -- -O0 -O1 -O2 -O3 "-O2 -g" \
// RUN:   "-O2 -m32" "-m32" "-O2 -m32 -march=i686" "-Os -m32 -mno-sse2" \
// RUN:   "-O2 -fPIC" "-O2 -masm=intel" "-O2 -mno-red-zone" "-O2 -mx32" \
// RUN:   | FileCheck %s
// CHECK-COUNT-13: {{[56]}} sites, 0 locked instructions, {{[56]}} fences, 0 mfence left: complete and exact

void fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void sync(void) { __sync_synchronize(); }
int between(int *p, int *q) {
  *p = 1;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return *q;
}
void branch(int *p) {
  if (*p)
    __sync_synchronize();
  *p = 3;
}
// In the middle of the use of flags, with the stack's top in use.
int flags(int a, int b) {
  int local[4] = {a, b, a, b};
  __asm__ volatile("" : : "r"(local) : "memory");
  int less = a < b;
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  return less ? local[a & 3] : local[b & 3];
}
void thread_of_its_own(void) {
  int model = __ATOMIC_SEQ_CST;
  __atomic_thread_fence(model);
}

// No fences in the machine's sense.
void weaker(int *p) {
  __atomic_thread_fence(__ATOMIC_ACQ_REL);
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  __atomic_store_n(p, 1, __ATOMIC_RELEASE);
}
