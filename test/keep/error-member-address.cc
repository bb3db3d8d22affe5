// SPDX-License-Identifier: GPL-3.0-or-later
//
// A member of std::atomic that a kept function could call unseen is an error
// where its address is taken; a direct call is the way out.
// RUN: for o in 0 2; do \
// RUN:   not %cxx -std=c++17 -O$o -c %s %uplock -o %t.o 2>&1 | FileCheck %s \
// RUN:     --implicit-check-not='error:' || exit; done
#include <atomic>

std::atomic<int> n;
using Member = int (std::__atomic_base<int>::*)(int, std::memory_order);
template <class F> int call(F f) { return (n.*f)(1, std::memory_order_seq_cst); }

[[uplock::keep]] int kept() {
  Member member = &std::__atomic_base<int>::fetch_add;
  // CHECK-DAG: error-member-address.cc:[[#@LINE-1]]:{{[0-9]+}}: error: kept function 'int kept()' takes the address of '{{.*}}fetch_add{{.*}}', which may be patched; call it directly
  return (n.*member)(1, std::memory_order_seq_cst);
}

[[uplock::keep]] int kept_argument() {
  return call(static_cast<Member>(&std::__atomic_base<int>::fetch_sub));
  // CHECK-DAG: error-member-address.cc:[[#@LINE-1]]:{{[0-9]+}}: error: kept function 'int kept_argument()' takes the address of '{{.*}}fetch_sub{{.*}}'
}

using Free = int (*)(std::atomic<int> *, int);
[[uplock::keep]] Free kept_free() {
  return std::atomic_fetch_add<int>;
  // CHECK-DAG: error-member-address.cc:[[#@LINE-1]]:{{[0-9]+}}: error: kept function '{{.*}}kept_free(){{.*}}' takes the address of '{{.*}}atomic_fetch_add{{.*}}'
}

// Elsewhere in the file it may be taken.
Member patched() { return &std::__atomic_base<int>::fetch_add; }

// Known to the compiler before anything is generated, this is a direct call.
template <auto member> [[uplock::keep]] int kept_constant() {
  return (n.*member)(1, std::memory_order_seq_cst);
}
int use() {
  return kept_constant<static_cast<Member>(
      &std::__atomic_base<int>::fetch_add)>();
}
