// SPDX-License-Identifier: GPL-3.0-or-later
//
// Names that only look like those of std: the program's own functions, left as
// they are and patched as ever.
// RUN: for o in 0 2; do \
// RUN:   %cxx -O$o -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done

class atomic {
  int n;

public:
  __attribute__((noinline)) void increment() { __atomic_fetch_add(&n, 1, 5); }
};
// CHECK-DAG: {{^}}atomic::increment(){{.*}}: 1 locked, 1 recorded

namespace mine {
namespace std {
struct atomic {
  int n;
  __attribute__((noinline)) void increment() { __atomic_fetch_add(&n, 2, 5); }
};
} // namespace std
} // namespace mine
// CHECK-DAG: {{^}}mine::std::atomic::increment(){{.*}}: 1 locked, 1 recorded

struct boost_like {
  int n;
  __attribute__((noinline)) void atomic_increment() {
    __atomic_fetch_add(&n, 3, 5);
  }
};
// CHECK-DAG: {{^}}boost_like::atomic_increment(){{.*}}: 1 locked, 1 recorded

[[uplock::keep]] void kept(atomic &a, mine::std::atomic &b, boost_like &c) {
  a.increment();
  b.increment();
  c.atomic_increment();
}
