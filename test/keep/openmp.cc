// SPDX-License-Identifier: GPL-3.0-or-later
//
// The functions that OpenMP makes of the regions in a kept function are kept.
// RUN: for o in 0 1 2 3 s; do \
// RUN:   %cxx -fopenmp -O$o -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s \
// RUN:     --implicit-check-not='kept{{.*}} {{[1-9]}} recorded' || exit; done
//
// GCC 16 may put the task into the region around it.
#include <atomic>

std::atomic<int> n;
int m;

[[uplock::keep]] void kept() {
#pragma omp parallel
  {
    n++;
#pragma omp atomic
    m += 3;
#pragma omp task
    n--;
  }
#pragma omp parallel for
  for (int i = 0; i < 9; i++)
    __atomic_fetch_or(&m, i, 5);
}
// CHECK-DAG: {{^}}kept() [clone ._omp_fn.{{[0-2]}}]: {{[23]}} locked, 0 recorded
// CHECK-DAG: {{^}}kept() [clone ._omp_fn.{{[0-2]}}]: 1 locked, 0 recorded

void patched() {
#pragma omp parallel
  n++;
}
// CHECK-DAG: {{^}}patched() [clone ._omp_fn.0]: 1 locked, 1 recorded

#pragma uplock keep
void kept_by_pragma() {
  auto kept_lambda = [] {
#pragma omp parallel
    n += 2;
  };
  kept_lambda();
}
#pragma uplock pop
// CHECK-DAG: {{^}}kept_by_pragma(){{.*}} [clone ._omp_fn.0]: 1 locked, 0 recorded
