// SPDX-License-Identifier: GPL-3.0-or-later
//
// All families of members take the mode of whoever names them, inlined or not:
// pointers, flags, generic types, volatile objects, free functions.
// RUN: for o in 0 1 2 s; do \
// RUN:   %cxx -std=c++17 -O$o -c %s %uplock -fplugin-arg-uplock-cover=all \
// RUN:     -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s \
// RUN:     --implicit-check-not='{{^std::.* [1-9][0-9]* locked}}' || exit; done
#include <atomic>

struct Pair {
  int a, b;
};
std::atomic<int> number;
std::atomic<long *> pointer;
std::atomic<bool> boolean;
std::atomic<Pair> pair;
std::atomic_flag flag = ATOMIC_FLAG_INIT;
volatile std::atomic<int> number_of_device;

[[uplock::keep]] bool kept_compare(int old) {
  return number.compare_exchange_strong(old, 4) &&
         number.compare_exchange_weak(old, 4, std::memory_order_acq_rel,
                                      std::memory_order_relaxed);
}
// CHECK-DAG: {{^}}kept_compare(int): 2 locked, 0 recorded

[[uplock::keep]] void kept_pointer() {
  pointer++;
  pointer.fetch_sub(2);
  pointer += 3;
}
// CHECK-DAG: {{^}}kept_pointer(): 3 locked, 0 recorded

[[uplock::keep]] bool kept_exchange(Pair value) {
  return boolean.exchange(true) || pair.exchange(value).b;
}
// CHECK-DAG: {{^}}kept_exchange(Pair): 2 locked, 0 recorded

[[uplock::keep]] void kept_store(Pair value) {
  boolean = true;
  pair = value;
  flag.clear();
}
// CHECK-DAG: {{^}}kept_store(Pair): 3 locked, 0 recorded

[[uplock::keep]] void kept_volatile() {
  number_of_device++;
  number_of_device = 4;
}
// CHECK-DAG: {{^}}kept_volatile(): 2 locked, 0 recorded

[[uplock::keep]] int kept_free(int old) {
  std::atomic_store(&number, 1);
  std::atomic_compare_exchange_strong(&number, &old, 3);
  std::atomic_flag_test_and_set(&flag);
  return std::atomic_fetch_or(&number, 3) +
         std::atomic_fetch_add_explicit(&number, 2, std::memory_order_relaxed);
}
// CHECK-DAG: {{^}}kept_free(int): {{5|6}} locked, 0 recorded

[[uplock::keep]] void kept_order(std::memory_order order) {
  number.fetch_add(1, order);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
// CHECK-DAG: {{^}}kept_order(std::memory_order): 2 locked, 0 recorded

int patched(int old) {
  number.compare_exchange_strong(old, 4);
  pointer++;
  boolean = true;
  return std::atomic_fetch_or(&number, 3);
}
// CHECK-DAG: {{^}}patched(int): 4 locked, 4 recorded
