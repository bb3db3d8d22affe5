// SPDX-License-Identifier: GPL-3.0-or-later
//
// The part of a kept function that is split off is kept, and what is left of it
// calls it from wherever it is inlined.
// RUN: %gcc -O2 -fpartial-inlining -c %s %uplock -o %t.o
// RUN: %sites %t.o | FileCheck %s

void slow(int);

__attribute__((uplock_keep)) static int kept(int *p) {
  if (!p)
    return 0;
  slow(1);
  for (int i = 0; i < 10; i++) {
    __atomic_fetch_add(p, 3, 5);
    slow(*p);
  }
  __atomic_fetch_sub(p, 4, 5);
  slow(2);
  slow(3);
  slow(4);
  slow(5);
  slow(6);
  return *p;
}
// CHECK-DAG: {{^}}kept.part.0: 2 locked, 0 recorded

__attribute__((uplock_keep)) int use(int *p) {
  return kept(p) + kept(p + 1) + kept(p + 2);
}
int patched(int *p) {
  __atomic_fetch_add(p, 9, 5);
  return kept(p) + kept(p + 1);
}
// CHECK-DAG: {{^}}patched: 1 locked, 1 recorded
