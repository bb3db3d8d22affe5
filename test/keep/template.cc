// SPDX-License-Identifier: GPL-3.0-or-later
//
// Templates carry their mark to what is made of them: implicit and explicit
// instantiations, members of class templates, members that are templates.
// RUN: for o in 0 1 2 3 s; do \
// RUN:   %cxx -std=c++17 -O$o -Wall -Werror -Wno-comment -c %s %uplock \
// RUN:     -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done
#include <atomic>

std::atomic<int> n;

template <class T> [[uplock::keep]] T kept(T t) { return n.fetch_add(t); }
template int kept(int);
// CHECK-DAG: {{^}}int kept<int>(int): 1 locked, 0 recorded

template <class T> struct Class {
  [[uplock::keep]] T member(T t) { return n.fetch_add(t); }
  template <class U> [[uplock::keep]] U nested(U u) { return n.fetch_sub(u); }
  T patched(T t) { return n.fetch_or(t); }
};
template struct Class<int>;
template int Class<long>::nested(int);
// CHECK-DAG: {{^}}Class<int>::member(int): 1 locked, 0 recorded
// CHECK-DAG: {{^}}Class<int>::patched(int): 1 locked, 1 recorded
// CHECK-DAG: {{^}}int Class<long>::nested<int>(int): 1 locked, 0 recorded

// An instantiation may be marked on its own.
template <class T> T either(T t) { return n.fetch_and(t); }
template [[uplock::keep]] int either(int);
template long either(long);
// CHECK-DAG: {{^}}int either<int>(int): 1 locked, 0 recorded
// CHECK-DAG: {{^}}long either<long>(long): 1 locked, 1 recorded

// Instantiated elsewhere, and inlined from here all the same.
template <class T> [[uplock::keep]] T elsewhere(T t) { return n.fetch_xor(t); }
extern template int elsewhere(int);
int patched() { return elsewhere(3) + n.fetch_add(4); }
// CHECK-DAG: {{^}}patched(): 1 locked, 1 recorded
