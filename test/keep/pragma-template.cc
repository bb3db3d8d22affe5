// SPDX-License-Identifier: GPL-3.0-or-later
//
// A template stands where it is defined, however much later it is
// instantiated.
// RUN: for o in 0 2; do \
// RUN:   %cxx -O$o -Wall -Werror -Wno-comment -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done
#include <atomic>

std::atomic<int> n;

template <class T> T patched(T);

#pragma uplock keep
template <class T> __attribute__((noinline)) T kept(T t) {
  return n.fetch_add(t);
}
template <class T> struct Kept {
  __attribute__((noinline)) T member(T t) { return n.fetch_add(t); }
  template <class U> __attribute__((noinline)) U nested(U t) {
    return n.fetch_sub(t);
  }
};
#pragma uplock pop

template <class T> __attribute__((noinline)) T patched(T t) {
  return n.fetch_add(t);
}

#pragma uplock keep
int use(int k) {
  Kept<int> object;
  return kept(k) + patched(k) + object.member(k) + object.nested(k);
}
#pragma uplock pop
// CHECK-DAG: {{^}}int kept<int>(int): 1 locked, 0 recorded
// CHECK-DAG: {{^}}Kept<int>::member(int){{.*}}: 1 locked, 0 recorded
// CHECK-DAG: {{^}}int Kept<int>::nested<int>(int){{.*}}: 1 locked, 0 recorded
// CHECK-DAG: {{^}}int patched<int>(int): 1 locked, 1 recorded

template struct Kept<long>;
// CHECK-DAG: {{^}}Kept<long>::member(long): 1 locked, 0 recorded
