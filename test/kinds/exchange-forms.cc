// SPDX-License-Identifier: GPL-3.0-or-later
//
// An exchange whose result is used gets a switch, at every width and under
// every family's name, wherever it stands: in branches, loops, inline
// functions, templates, switch statements, landing pads, lambdas.
// RUN: %proven-cxx %s %t.d --cover exchange --xchg 4 -- -O1 -O2 -O3 -Os -Og \
// RUN:   "-O2 -g" "-O3 -g -funroll-all-loops" "-O2 -fPIC" "-O2 -masm=intel" \
// RUN:   "-O3 -fsplit-paths -ftracer" \
// RUN:   "-O2 -fno-reorder-blocks -fno-crossjumping" \
// RUN:   "-O2 -m32 -g" "-O2 -m32 -fPIC" "-O2 -mx32" "-O1 -fno-tree-ter" \
// RUN:   "-O2 -fsplit-stack" "-O2 -fcf-protection=full" "-O2 -pg" \
// RUN:   "-O2 -fprofile-generate" "-O2 -fprofile-arcs -ftest-coverage" \
// RUN:   "-O2 -fselective-scheduling2" "-O2 -fschedule-insns -fsched-pressure" \
// RUN:   "-O3 -floop-nest-optimize -fgraphite-identity -ftree-vectorize" \
// RUN:   "-O2 -mcmodel=large -fno-pie" "-O2 -fstack-protector-all" \
// RUN:   "-O2 -freorder-blocks-and-partition -ffunction-sections" \
// RUN:   "-O2 -fopenmp" "-O2 -flive-patching" \
// RUN:   > %t.out
// RUN: FileCheck %s < %t.out
// CHECK-COUNT-28: 0 stores, {{[1-9][0-9]+}} switches, 4 xchg left: complete and exact
// RUN: %proven-cxx %s %t.d --cover all --xchg 0 -- -O2 "-O2 -g" "-O3 -fPIC" \
// RUN:   "-Os -m32" "-O2 -mtune=k8" "-O2 -mtune=bonnell" "-O2 -fno-inline" \
// RUN:   "-O2 -finstrument-functions" | FileCheck %s --check-prefix=ALL
// ALL-COUNT-8: {{[1-9][0-9]?}} stores, {{[1-9][0-9]+}} switches, 0 xchg left, 0 mfence left: complete and exact
#include <atomic>
#include <cstdint>
#include <mutex>
#include <setjmp.h>

#define WIDTH(type)                                                            \
  type builtin(type *p, type v) { return __atomic_exchange_n(p, v, 5); }       \
  type relaxed(type *p, type v) { return __atomic_exchange_n(p, v, 0); }       \
  type sync(type *p, type v) { return __sync_lock_test_and_set(p, v); }        \
  type sync_one(type *p) { return __sync_lock_test_and_set(p, 1); }            \
  type constant(type *p) { return __atomic_exchange_n(p, 0, 2); }              \
  void indirect(type *p, type *v, type *r) { __atomic_exchange(p, v, r, 5); }
#define CONSTANT(type)                                                         \
  type cleared(type *p) { return __atomic_fetch_and(p, 0, 5); }                \
  type filled(type *p) { return __atomic_fetch_or(p, -1, 0); }                 \
  type sync_cleared(type *p) { return __sync_fetch_and_and(p, 0); }            \
  type sync_filled(type *p) { return __sync_fetch_and_or(p, -1); }
CONSTANT(signed char)
CONSTANT(unsigned short)
CONSTANT(unsigned)
CONSTANT(long)
WIDTH(signed char)
WIDTH(unsigned short)
WIDTH(int)
WIDTH(long)

int *pointer(std::atomic<int *> &p, int *v) { return p.exchange(v); }
void *null(std::atomic<void *> &p) { return p.exchange(nullptr); }
bool truth(std::atomic<bool> &b) { return b.exchange(true); }
bool truth_branch(std::atomic<bool> &b) {
  if (b.exchange(false))
    return truth(b);
  return true;
}
float real(std::atomic<float> &f, float v) { return f.exchange(v); }
enum class Color : short { red, green };
Color color(std::atomic<Color> &c) { return c.exchange(Color::green); }
struct Pair {
  short a, b;
};
int structure(std::atomic<Pair> &p) { return p.exchange({1, 2}).b; }

bool flag(std::atomic_flag &f) { return f.test_and_set(); }
bool builtin_flag(void *p) { return __atomic_test_and_set(p, 2); }
int negated(char *p) { return !__atomic_test_and_set(p, 5) ? 7 : 9; }
void spin(std::atomic_flag &f, int &shared) {
  while (f.test_and_set(std::memory_order_acquire))
    ;
  shared++;
  f.clear(std::memory_order_release);
}
void spin_with_pause(std::atomic<int> &f) {
  while (f.exchange(1))
    while (f.load(std::memory_order_relaxed))
      __builtin_ia32_pause();
}
[[noreturn]] void forever(std::atomic<int> &f, int v) {
  for (;;)
    v = f.exchange(v);
}

int several(std::atomic<int> *p, int v) {
  v = p[0].exchange(v);
  v += p[1].exchange(v);
  return p[2].exchange(v) + p[3].exchange(v) * p[4].exchange(7);
}
int nested_loops(std::atomic<int> *p, int n) {
  int sum = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < 4; j++)
      sum += p[i * 4 + j].exchange(i);
  return sum;
}
int cases(std::atomic<int> &a, int v) {
  switch (a.exchange(v)) {
  case 0: return 5;
  case 1: return a.exchange(8);
  case 2: case 3: v++; break;
  case 7: v = a.exchange(v + 1); break;
  case 9: return 11;
  }
  return v;
}
static inline int helper(std::atomic<int> &a, int v) { return a.exchange(v); }
int callers(std::atomic<int> *a) {
  return helper(a[0], 1) + helper(a[1], 2) + (a[2] ? helper(a[2], 3) : 0);
}
template <class T> T instance(std::atomic<T> &a) { return a.exchange(T(3)); }
template char instance(std::atomic<char> &);
template long instance(std::atomic<long> &);
auto lambda(std::atomic<int> &a) {
  auto get = [&] { return a.exchange(4); };
  return get() + get();
}
void may_throw(int);
int guarded(std::atomic<int> &a) {
  try {
    may_throw(a.exchange(1));
  } catch (int code) {
    return a.exchange(code);
  }
  return 0;
}
struct Guard {
  std::atomic<int> &a;
  int old;
  ~Guard() { may_throw(old = a.exchange(old)); }
};
void unwound(std::atomic<int> &a) {
  Guard guard{a, 5};
  may_throw(1);
}
static jmp_buf place;
int jumps(std::atomic<int> &a) {
  volatile int tries = 0;
  if (setjmp(place))
    return a.exchange(tries);
  tries = a.exchange(3);
  may_throw(2);
  return tries;
}
int computed(std::atomic<int> &a, int i) {
  static void *const places[] = {&&first, &&second};
  goto *places[i];
first:
  i = a.exchange(i);
  if (i > 3)
    goto *places[i & 1];
second:
  return a.exchange(i + 1);
}
int in_expression(std::atomic<int> &a, bool b) {
  return b ? a.exchange(1) + 2 : (b || a.exchange(3)) ? 4 : a.exchange(5);
}
int alloca_around(std::atomic<int> &a, int n) {
  int *array = static_cast<int *>(__builtin_alloca(n * sizeof(int)));
  array[n - 1] = a.exchange(n);
  may_throw(array[n / 2]);
  return array[n - 1];
}
thread_local std::atomic<int> local;
int thread_local_one(int v) { return local.exchange(v); }
volatile int result;
void to_volatile(std::atomic<int> &a) { result = a.exchange(2); }
int array_of_results[4];
void to_memory(std::atomic<int> &a, int i) {
  array_of_results[i] = a.exchange(2);
}
#ifdef __SIZEOF_INT128__
using Widest = __int128;
#else
using Widest = long long;
#endif
Widest wide_result(std::atomic<long> &a) { return a.exchange(3); }
bool tail(std::atomic<int> &a, int v) { return a.exchange(v) == v; }
__attribute__((naked)) void naked() { asm("ret"); }
__attribute__((noreturn)) void no_return(std::atomic<int> &a) {
  if (a.exchange(1))
    __builtin_trap();
  __builtin_unreachable();
}
__attribute__((cold)) int cold(std::atomic<int> &a) { return a.exchange(1); }
int unlikely(std::atomic<int> &a, int v) {
  if (__builtin_expect(v < 0, 0)) {
    v = a.exchange(v);
    may_throw(v);
    throw v;
  }
  return v;
}
int leading(std::atomic<int> &a) {
again:
  if (a.exchange(1))
    goto again;
  return 1;
}
int openmp(int *p, int n) {
  int last = 0;
#pragma omp parallel for reduction(+ : last)
  for (int i = 0; i < n; i++)
    last += __atomic_exchange_n(p + i, i, 5);
  return last;
}

// Unused: with no_return, four stores.
void unused(std::atomic<int> &a, int v) { a.exchange(v); }
void stored(std::atomic<int> &a, int v) { a = v; }
void sync_unused(int *p, int v) { (void)__sync_lock_test_and_set(p, v); }
