// SPDX-License-Identifier: GPL-3.0-or-later
//
// With default=keep only the functions that are marked are in the table.
// RUN: for o in 0 1 2 3 g s; do \
// RUN:   %cxx -O$o -c %s %uplock -fplugin-arg-uplock-cover=all \
// RUN:     -fplugin-arg-uplock-default=keep -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s \
// RUN:     --implicit-check-not='{{ [1-9][0-9]* recorded}}' || exit; done
#include <atomic>

std::atomic<int> n;
std::atomic_flag flag = ATOMIC_FLAG_INIT;

int at_start = n.fetch_add(3);

void unmarked() {
  n++;
  flag.test_and_set();
}
// CHECK-DAG: {{^}}unmarked(): 2 locked, 0 recorded

[[uplock::patch]] int patched(int value) {
  n++;
  n.compare_exchange_strong(value, 3);
  return std::atomic_fetch_add(&n, value);
}
// CHECK-DAG: {{^}}patched(int): 3 locked, 3 recorded

__attribute__((uplock_patch)) void also_patched() { n.store(5); }
// CHECK-DAG: {{^}}also_patched(): 1 locked, 1 recorded

#pragma uplock patch
void patched_by_pragma() {
  n -= 2;
}
// CHECK-DAG: {{^}}patched_by_pragma(){{.*}}: 1 locked, 1 recorded
#pragma uplock pop

template <class T> [[uplock::patch]] __attribute__((noinline)) T tick(T by) {
  return n.fetch_add(by);
}
// CHECK-DAG: {{^}}int tick<int>(int): 1 locked, 1 recorded

int use() { return tick(7); }
