// SPDX-License-Identifier: GPL-3.0-or-later
//
// In 32-bit code too.
// REQUIRES: m32
// RUN: for o in 0 2; do \
// RUN:   %gcc -m32 -march=i686 -O$o -c %s %uplock \
// RUN:     -fplugin-arg-uplock-cover=all -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done

__attribute__((uplock_keep)) int kept(int *p, long long *wide) {
  __atomic_fetch_add(wide, 1, 5);
  __atomic_thread_fence(5);
  return __atomic_exchange_n(p, 1, 5);
}
// CHECK: {{^}}kept: 3 locked, 0 recorded

int patched(int *p, long long *wide) {
  __atomic_fetch_add(wide, 1, 5);
  __atomic_thread_fence(5);
  return __atomic_exchange_n(p, 1, 5);
}
// CHECK: {{^}}patched: 4 locked, 4 recorded
