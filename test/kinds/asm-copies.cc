// SPDX-License-Identifier: GPL-3.0-or-later
//
// Assembly that is copied has an entry for each copy: inlined, unrolled, cloned
// for constants, in templates, in both halves of a split function, and asm goto
// on either path.
// RUN: %proven-cxx %s %t.d --cover asm --identical -- -O0 -O1 -O2 -O3 \
// RUN:   "-O3 -funroll-all-loops" "-O2 -fno-inline" "-O3 -fsplit-loops -g" \
// RUN:   "-O2 -fno-reorder-blocks -ftracer" "-O2 -m32" \
// RUN:   "-O3 -fipa-cp-clone -fno-inline" "-O2 -freorder-blocks-algorithm=stc" \
// RUN:   "-O1 -fnon-call-exceptions" > %t.out
// RUN: FileCheck %s < %t.out
// CHECK-COUNT-12: complete and exact

int counter;
static int x;

static inline void increment(int *p) {
  asm volatile("lock; inc{l} %0" : "+m"(*p)::"memory");
}
void inlined(int *a, int *b) { increment(a), increment(b), increment(&x); }
void unrolled(int *p) {
  for (int i = 0; i < 4; i++)
    increment(p + i);
}
void basic_unrolled() {
  for (int i = 0; i < 4; i++)
    asm("lock; incl counter");
}
template <int N> void instance(int *p) {
  asm("lock; add{l} {%1, %0|%0, %1}" : "+m"(*p) : "i"(N));
}
template void instance<1>(int *);
template void instance<2>(int *);

__attribute__((noinline)) static int cloned(int *p, int kind) {
  for (int i = 0; i < kind; i++)
    increment(p);
  if (kind == 7)
    increment(p + 1);
  return *p;
}
int clones(int *p) { return cloned(p, 7) + cloned(p, 3); }

// asm goto: one that is both locked and a jump.
static inline bool decrement(int *p) {
  asm goto("lock; dec{l} %0\n\tjz %l[zero]" : : "m"(*p) : "memory" : zero);
  return false;
zero:
  return true;
}
int jumps(int *p) {
  int n = 0;
  while (!decrement(p))
    n++;
  for (int i = 0; i < 3; i++)
    n += decrement(p + i);
  return n;
}

void fail() __attribute__((noreturn, cold));
void cold_half(int *p) {
  increment(p);
  if (__builtin_expect(*p < 0, 0)) {
    increment(p + 1);
    asm inline("lock; dec{l} %0" : "+m"(*p));
    fail();
  }
}
struct Guard {
  int *p;
  ~Guard() { increment(p); }
};
void may_throw();
void unwound(int *p) {
  Guard guard{p};
  may_throw();
}
