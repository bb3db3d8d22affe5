// SPDX-License-Identifier: GPL-3.0-or-later
//
// A file that keeps nothing has the same text as without the plugin, members of
// std::atomic that are functions of their own included; and so has one that
// keeps everything, if nothing in it is named by way of members.
// RUN: for o in 0 1 2 3 g s; do \
// RUN:   %cxx -O$o -c %s -o %t.stock.o && \
// RUN:   %cxx -O$o -c %s %uplock -o %t.o && \
// RUN:   %identical %t.stock.o %t.o && \
// RUN:   %cxx -O$o -DONLY_BUILTINS -c %s -o %t.stock.o && \
// RUN:   %cxx -O$o -DONLY_BUILTINS -c %s %uplock \
// RUN:     -fplugin-arg-uplock-default=keep \
// RUN:     -fplugin-arg-uplock-cover=all -o %t.o && \
// RUN:   %identical %t.stock.o %t.o || exit; done
// RUN: %cxx -O0 -c %s %uplock -o %t.o && %sites %t.o | FileCheck %s
#ifndef ONLY_BUILTINS
#include <atomic>
std::atomic<int> n;
int member() { return n++ + std::atomic_fetch_add(&n, 1) + n.exchange(2); }
// CHECK: {{^}}std::__atomic_base<int>::operator++(int): 1 locked, 1 recorded
#endif

static inline int helper(int *p) { return __atomic_fetch_add(p, 2, 5); }
int builtin(int *p) {
  __atomic_thread_fence(5);
  __atomic_store_n(p, 1, 5);
  return helper(p) + helper(p + 1) + __atomic_exchange_n(p, 2, 5);
}
