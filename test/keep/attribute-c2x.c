// SPDX-License-Identifier: GPL-3.0-or-later
//
// The bracketed spelling in C.
// RUN: for o in 0 1 2 3 g s; do \
// RUN:   %gcc -std=c2x -O$o -Wall -Werror -Wno-comment -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done

[[uplock::keep]] int kept(int *p) { return __sync_fetch_and_add(p, 2); }
// CHECK-DAG: {{^}}kept: 1 locked, 0 recorded

[[__uplock__::__keep__]] int kept_underscores(int *p) {
  return __sync_fetch_and_add(p, 3);
}
// CHECK-DAG: {{^}}kept_underscores: 1 locked, 0 recorded

[[uplock::patch]] int patched(int *p) { return __sync_fetch_and_add(p, 4); }
// CHECK-DAG: {{^}}patched: 1 locked, 1 recorded
