// SPDX-License-Identifier: GPL-3.0-or-later
//
// A clone with other parameters is as kept as what it is a clone of.
// RUN: for o in 2 3 s; do \
// RUN:   %gcc -O$o -fipa-sra -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done

struct pair {
  int a, b;
};
int n;

// The structure is read once: its member is passed instead.
__attribute__((uplock_keep)) static int kept(struct pair *pair, int unused) {
  int value = pair->a;
  return __atomic_fetch_add(&n, value, 5);
}
// CHECK-DAG: {{^}}kept{{.*}}.isra.0: 1 locked, 0 recorded

int use(struct pair *p) { return kept(p, 1) + kept(p + 1, 2); }
// CHECK-DAG: {{^}}use: 0 locked, 0 recorded
