// SPDX-License-Identifier: GPL-3.0-or-later
//
// A lambda in a kept function is kept, wherever it is called; a generic one and
// one inside it too.
// RUN: for o in 0 1 2 3 s; do \
// RUN:   %cxx -std=c++17 -O$o -fno-ipa-sra -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s \
// RUN:     --implicit-check-not='kept{{.*}} {{[1-9]}} recorded' || exit; done
#include <atomic>

std::atomic<int> n;

// Calls what it is given: this function is patched.
template <class F> __attribute__((noinline)) int call(F f) {
  n += 4;
  return f(3);
}
// CHECK-DAG: {{^}}int call<kept(){{.*}}: 1 locked, 1 recorded

[[uplock::keep]] int kept() {
  auto generic = [](auto k) {
    auto inner = [k] { return n.fetch_sub(k); };
    return inner() + n.fetch_add(k);
  };
  int (*pointer)(int) = [](int k) { return n.fetch_or(k); };
  return call([](int k) { return n.fetch_add(k); }) + call(generic) +
         call(pointer);
}
// CHECK-DAG: {{^}}kept()::{lambda(int)#{{[0-9]+.*}}: 1 locked, 0 recorded

template <class T> [[uplock::keep]] auto kept_template(T t) {
  return [t](auto k) { return n.fetch_add(t * k); };
}
int patched() { return call(kept_template(3)); }

