// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where GCC prefers mfence, for size or for the tuning, the form that can be
// patched takes its place, also for the fence that follows a store on tunings
// without xchg stores.
// RUN: %proven-c %s %t.d --cover fence -- -Os "-Os -m32 -msse2" "-Os -fPIC" \
// RUN:   "-O2 -mtune=bonnell" "-O2 -mtune=k8" "-O2 -mtune=atom" \
// RUN:   "-O2 -mtune=silvermont" "-O2 -mtune=amdfam10" "-O2 -mtune=btver1" \
// RUN:   "-O2 -m32 -msse2 -mtune=k8" "-O2 -m32 -mtune=bonnell" \
// RUN:   "-O0 -mtune=k8" "-O3 -g -mtune=k8 -funroll-loops" \
// RUN:   "-Os -masm=intel" "-O2 -mtune=k8 -fnon-call-exceptions" \
// RUN:   "-O2 -mtune=core2 -fschedule-insns -fsched-pressure" | FileCheck %s
// CHECK-COUNT-16: sites, 0 locked instructions, {{[1-9][0-9]?}} fences, 0 mfence left: complete and exact
// RUN: %proven-c %s %t.all --cover all -- -Os "-Os -m32 -msse2" \
// RUN:   "-O2 -mtune=bonnell" "-O2 -mtune=k8" "-O2 -mtune=k8 -m32 -msse2" \
// RUN:   | FileCheck %s --check-prefix=ALL
// ALL-COUNT-5: 0 xchg left, 0 mfence left: complete and exact

// The control: without the plugin there would be mfence.
// RUN: %gcc -Os -S %s -o - | FileCheck %s --check-prefix=STOCK
// STOCK: mfence

void fence(void) { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
void sync(void) { __sync_synchronize(); }
void store(int *p, long *q, short *r, char *s) {
  __atomic_store_n(p, 1, __ATOMIC_SEQ_CST);
  __atomic_store_n(q, 1, __ATOMIC_SEQ_CST);
  __atomic_store_n(r, 1, __ATOMIC_SEQ_CST);
  __atomic_store_n(s, 1, __ATOMIC_SEQ_CST);
}
int loop(int *p, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++) {
    p[i] = i;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    sum += p[i] < n;
  }
  return sum;
}
// What holds flags across it must be computed anew or not at all.
int compare(long a, long b, int *p) {
  int less = a < b, equal = a == b;
  __atomic_store_n(p, less, __ATOMIC_SEQ_CST);
  __sync_synchronize();
  return less ? 5 : equal ? 7 : 9;
}
unsigned __int128_part(unsigned long a, unsigned long b, unsigned long *c) {
  unsigned long sum;
  int carry = __builtin_add_overflow(a, b, &sum);
  __atomic_thread_fence(__ATOMIC_SEQ_CST);
  *c = sum;
  return carry;
}
