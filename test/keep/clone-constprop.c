// SPDX-License-Identifier: GPL-3.0-or-later
//
// A clone for a constant argument is as kept as what it is a clone of.
// RUN: for o in 2 3 s; do \
// RUN:   %gcc -O$o -fipa-cp -fipa-cp-clone -fno-ipa-icf -c %s %uplock \
// RUN:     -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done

int n, sum;

__attribute__((uplock_keep)) static int kept(int *p, int k) {
  for (int i = 0; i < k; i++) {
    __atomic_fetch_add(p, k, 5);
    sum += p[i] * k;
  }
  return *p + k;
}
// CHECK-DAG: {{^}}kept.constprop.0: 1 locked, 0 recorded


int use(int *p) { return kept(p, 7) + kept(p + 1, 7); }
// CHECK-DAG: {{^}}use: 0 locked, 0 recorded
