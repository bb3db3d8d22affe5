// SPDX-License-Identifier: GPL-3.0-or-later
//
// Atomics in every kind of text section: startup and exit, hot and cold, behind
// the switch of sections in the middle of a function, in landing pads, COMDAT,
// named by attribute; and functions that are cloned, merged, aliased, nested or
// reached through a table.

#include "corpus.h"

namespace {

int entries, cold_entries, failures_seen;

template <typename T, int N> struct Counter {
  static T value;
  NOINLINE static T add(T v) { // a COMDAT of its own
    if (__builtin_expect(v == N + 1000, 0))
      __atomic_fetch_sub(&value, N, __ATOMIC_SEQ_CST);
    return __atomic_add_fetch(&value, v, __ATOMIC_SEQ_CST);
  }
};
template <typename T, int N> T Counter<T, N>::value = N;

struct Failure {
  int code;
};

__attribute__((cold)) NOINLINE void count_cold() {
  __atomic_fetch_add(&cold_entries, 1, __ATOMIC_SEQ_CST);
}

__attribute__((hot)) NOINLINE void count_hot() {
  __atomic_fetch_add(&entries, 1, __ATOMIC_SEQ_CST);
}

__attribute__((noreturn, cold)) NOINLINE void fail(int code) {
  __atomic_fetch_add(&failures_seen, 1, __ATOMIC_SEQ_CST);
  throw Failure{code};
}

__attribute__((section(".text.elsewhere"))) NOINLINE int elsewhere(int *p) {
  return __atomic_fetch_or(p, 0x40, __ATOMIC_SEQ_CST);
}

// Its unlikely part goes to .text.unlikely, with atomics on both sides.
NOINLINE int may_fail(int *p, int v) {
  if (__builtin_expect(v < 0, 0)) {
    __atomic_fetch_xor(p, 0x55, __ATOMIC_SEQ_CST);
    count_cold();
    fail(__atomic_fetch_xor(p, 0x55, __ATOMIC_SEQ_CST));
  }
  count_hot();
  return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);
}

struct Guard { // counts in a landing pad
  int *p;
  explicit Guard(int *p) : p(p) { __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST); }
  ~Guard() { __atomic_fetch_sub(p, 1, __ATOMIC_SEQ_CST); }
};

NOINLINE int catches(int *p, int v) {
  try {
    Guard guard(p);
    return may_fail(p, v);
  } catch (const Failure &) {
    __atomic_fetch_add(p, 0x100, __ATOMIC_SEQ_CST);
    return -1;
  }
}

NOINLINE int dispatch(int which, int *p) {
  switch (which) {
  case 0:
    return __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
  case 1:
    return __atomic_fetch_sub(p, 1, __ATOMIC_SEQ_CST);
  case 2:
    __atomic_fetch_or(p, 2, __ATOMIC_SEQ_CST);
    return 0;
  case 3:
    __atomic_fetch_and(p, ~2, __ATOMIC_SEQ_CST);
    [[fallthrough]];
  case 4:
    return __atomic_fetch_xor(p, 4, __ATOMIC_SEQ_CST);
  case 5:
    return __atomic_exchange_n(p, 5, __ATOMIC_SEQ_CST);
  case 6:
    return Counter<int, 3>::add(which) + Counter<short, 4>::add(1);
  }
  fail(which);
}

struct Shape {
  int references = 1;
  virtual void acquire() {
    __atomic_fetch_add(&references, 1, __ATOMIC_RELAXED);
  }
  virtual bool release() {
    return __atomic_sub_fetch(&references, 1, __ATOMIC_ACQ_REL) == 0;
  }
  virtual ~Shape() = default;
};

struct Square : Shape {
  short sides = 0;
  void acquire() override {
    __atomic_fetch_add(&sides, 1, __ATOMIC_RELAXED);
    Shape::acquire();
  }
};

// Identical bodies: -fipa-icf makes one of them.
NOINLINE int twin_one(int *p) {
  return __atomic_fetch_add(p, 3, __ATOMIC_SEQ_CST) + 1;
}
NOINLINE int twin_two(int *p) {
  return __atomic_fetch_add(p, 3, __ATOMIC_SEQ_CST) + 1;
}

// Cloned for a constant argument.
NOINLINE int special(int *p, int kind, int v) {
  for (int i = 0; i < kind; i++)
    __atomic_fetch_add(p, v * i, __ATOMIC_SEQ_CST);
  return kind ? __atomic_fetch_and(p, 0xff, __ATOMIC_SEQ_CST) : 0;
}

// A computed goto, copied by the optimisers. The labels are not static: LTO
// would put those into another partition than the code.
NOINLINE int threaded(const char *code, int *p) {
  void *const labels[] = {&&inc, &&dec, &&flip, &&end};
  goto *labels[static_cast<int>(*code++)];
inc:
  __atomic_fetch_add(p, 1, __ATOMIC_SEQ_CST);
  goto *labels[static_cast<int>(*code++)];
dec:
  __atomic_fetch_sub(p, 1, __ATOMIC_SEQ_CST);
  goto *labels[static_cast<int>(*code++)];
flip:
  __atomic_fetch_xor(p, 0x10, __ATOMIC_SEQ_CST);
  goto *labels[static_cast<int>(*code++)];
end:
  return __atomic_load_n(p, __ATOMIC_SEQ_CST);
}

int at_start;
__attribute__((constructor)) void count_start() {
  __atomic_fetch_add(&at_start, 1, __ATOMIC_SEQ_CST);
}
__attribute__((destructor)) void count_exit() {
  __atomic_fetch_sub(&at_start, 1, __ATOMIC_SEQ_CST);
}

int next_number() {
  static int number;
  return __atomic_add_fetch(&number, 1, __ATOMIC_SEQ_CST);
}
int first_number = next_number(); // a dynamic initialiser: .text.startup

} // namespace

extern "C" void check_sections() {
  int x = 5;
  CHECK(catches(&x, 3) == 6 && x == 8);
  CHECK(catches(&x, -1) == -1 && x == 0x108);
  CHECK(failures_seen == 1 && cold_entries == 1 && entries == 1);
  CHECK(elsewhere(&x) == 0x108 && x == 0x148);
  x = 1;
  for (int i = 0; i < 7; i++)
    dispatch(i, &x);
  CHECK(x == 5 && Counter<int, 3>::value == 9 && Counter<short, 4>::value == 5);
  Square square;
  Shape *volatile shape = &square;
  shape->acquire();
  CHECK(!shape->release() && shape->release() && square.sides == 1);
  CHECK(twin_one(&x) == 6 && twin_two(&x) == 9);
  CHECK(special(&x, 3, 2) == 17 && special(&x, 0, first_number) == 0);
  x = 3;
  CHECK(threaded("\0\0\1\2\0\3", &x) == 0x15);
  CHECK(at_start == 1);
  CHECK(shared_add(&x, 0) == 0x15);
  auto lambda = [&x](int v) NOINLINE {
    return __atomic_fetch_add(&x, v, __ATOMIC_SEQ_CST);
  };
  CHECK(lambda(1) == 0x15 && lambda(2) == 0x16);
}
