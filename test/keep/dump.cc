// SPDX-License-Identifier: GPL-3.0-or-later
//
// The dump says of each site of a kept function that it is kept.
// RUN: %cxx -O2 -S %uplock -fplugin-arg-uplock-cover=all \
// RUN:   -fplugin-arg-uplock-dump=%t.dump %s -o %t.s
// RUN: sed -n 's/^;; uplock: .*dump.cc/dump.cc/p' %t.dump | FileCheck %s \
// RUN:   --implicit-check-not=dump.cc

[[uplock::keep]] int kept(int *p) {
  __atomic_fetch_add(p, 5, 5);
  // CHECK: dump.cc:[[#@LINE-1]]: kept: lock addl {{.*}}: rmw, kept
  __atomic_store_n(p, 5, 5);
  // CHECK: dump.cc:[[#@LINE-1]]: kept: xchgl {{.*}}: exchange or store, kept
  __atomic_thread_fence(5);
  // CHECK: dump.cc:[[#@LINE-1]]: kept: lock or {{.*}}: fence, kept
  asm volatile("lock; incl %0" : "+m"(*p));
  // CHECK: dump.cc:[[#@LINE-1]]: kept: lock {{.*}}: asm, kept
  return *p;
}

void patched(int *p) { __atomic_fetch_add(p, 5, 5); }
// CHECK: dump.cc:[[#@LINE-1]]: patched: lock addl {{.*}}: rmw, recorded
