// SPDX-License-Identifier: GPL-3.0-or-later
//
// The members that C++20 brought: atomic_ref, whose constructor is called by
// another name; floating point.
// RUN: for o in 0 1 2 s; do \
// RUN:   %cxx -std=c++20 -O$o -c %s %uplock -fplugin-arg-uplock-cover=all \
// RUN:     -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s \
// RUN:     --implicit-check-not='{{^std::.*atomic.* [1-9][0-9]* locked}}' \
// RUN:   || exit; done
#include <atomic>

std::atomic<int> number;
std::atomic<double> real;

[[uplock::keep]] int kept_ref(int &plain) {
  std::atomic_ref<int> ref(plain);
  ref++;
  ref.fetch_or(3);
  return ref.exchange(4);
}
// CHECK-DAG: {{^}}kept_ref(int&): 3 locked, 0 recorded

[[uplock::keep]] void kept_real() {
  real += 2.0;
  real.store(3.0);
}
// CHECK-DAG: {{^}}kept_real(): {{[2-3]}} locked, 0 recorded

int patched_ref(int &plain) {
  std::atomic_ref<int> ref(plain);
  return ref.fetch_or(3);
}
// CHECK-DAG: {{^}}patched_ref(int&): 1 locked, 1 recorded
