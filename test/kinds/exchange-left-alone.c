// SPDX-License-Identifier: GPL-3.0-or-later
//
// What has no second form stays as it is: lock elision, exchanges of two words,
// and those that nobody reads.
// RUN: %proven-c %s %t.d --cover exchange --xchg 4 -- "-O2 -mhle" "-O0 -mhle" \
// RUN:   "-O2 -m32 -mhle" | FileCheck %s
// CHECK-COUNT-3: 0 stores, 1 switches, 4 xchg left: complete and exact

int acquire(int *p) {
  return __atomic_exchange_n(p, 1, __ATOMIC_ACQUIRE | __ATOMIC_HLE_ACQUIRE);
}
int release(int *p) {
  return __atomic_exchange_n(p, 1, __ATOMIC_RELEASE | __ATOMIC_HLE_RELEASE);
}
int set(char *p) {
  return __atomic_test_and_set(p, __ATOMIC_ACQUIRE | __ATOMIC_HLE_ACQUIRE);
}
#ifndef __x86_64__
long long two_words(long long *p, long long v) {
  return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);
}
#endif
void unused(int *p) { __atomic_exchange_n(p, 1, __ATOMIC_SEQ_CST); }
int used(int *p) { return __atomic_exchange_n(p, 1, __ATOMIC_SEQ_CST); }
