// SPDX-License-Identifier: GPL-3.0-or-later
//
// With default=keep a variable of an atomic class with a destructor compiles:
// its destructor's address goes to the C library, to be called at exit.
// RUN: %cxx -O2 -c %s %uplock -fplugin-arg-uplock-default=keep -o %t.o
// RUN: %sites %t.o | FileCheck %s
#include <atomic>

struct Thing {
  int n;
};

template <> struct std::atomic<Thing> {
  ~atomic();
  Thing thing;
};
inline std::atomic<Thing>::~atomic() { __atomic_fetch_add(&thing.n, 1, 5); }

std::atomic<Thing> cell;

[[uplock::patch]] int patched(int *p) { return __atomic_fetch_add(p, 1, 5); }
// CHECK: patched(int*): 1 locked, 1 recorded
