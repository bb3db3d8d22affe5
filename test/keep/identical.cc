// SPDX-License-Identifier: GPL-3.0-or-later
//
// GCC merges identical functions, but none that is kept with one that is not.
// RUN: for o in 1 2 s; do \
// RUN:   %cxx -O$o -fipa-icf -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done
// RUN: %sites %t.s.o | FileCheck %s --check-prefix=MERGED

#define BODY                                                                   \
  {                                                                            \
    __atomic_fetch_add(p, 1, 5);                                               \
    __atomic_fetch_add(p + 1, 4, 5);                                           \
    return p[4];                                                               \
  }

int patched(int *p) BODY
// CHECK-DAG: {{^}}patched(int*): 2 locked, 2 recorded

[[uplock::keep]] int kept(int *p) BODY
// CHECK-DAG: {{^}}kept(int*): 2 locked, 0 recorded

// These two are: the test above is one of merging.
int patched_again(int *p) BODY
[[uplock::keep]] int kept_again(int *p) BODY
// MERGED-DAG: {{^}}patched_again(int*): 0 locked, 0 recorded
// MERGED-DAG: {{^}}kept_again(int*): 0 locked, 0 recorded
