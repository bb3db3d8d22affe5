// SPDX-License-Identifier: GPL-3.0-or-later
//
// A variable through which a kept function could call a member of std::atomic
// unseen is an error too; a patched function may use it.
// RUN: for o in 0 2; do \
// RUN:   not %cxx -std=c++17 -O$o -c %s %uplock -o %t.o 2> %t.log && \
// RUN:   FileCheck %s < %t.log && \
// RUN:   sed -n 's/.*error: .\([a-z]*\).*/\1/p' %t.log | sort | FileCheck %s \
// RUN:     --check-prefix=ONCE || exit; done
#include <atomic>

std::atomic<int> n;
using Member = int (std::__atomic_base<int>::*)(int, std::memory_order);

static const Member table[] = {&std::__atomic_base<int>::fetch_add};
// CHECK-DAG: error-member-table.cc:[[#@LINE-1]]:{{[0-9]+}}: error: 'table', which the kept function 'int kept(int)' uses, has the address of '{{.*}}fetch_add{{.*}}', which may be patched; call it directly

[[uplock::keep]] int kept(int i) {
  return (n.*table[i])(1, std::memory_order_seq_cst);
}

[[uplock::keep]] int kept_static() {
  static Member member = &std::__atomic_base<int>::fetch_sub;
  // CHECK-DAG: error-member-table.cc:[[#@LINE-1]]:{{[0-9]+}}: error: 'member', which the kept function 'int kept_static()' uses, has the address of '{{.*}}fetch_sub{{.*}}'
  return (n.*member)(1, std::memory_order_seq_cst);
}

static const Member another[] = {&std::__atomic_base<int>::fetch_or};
int patched(int i) { return (n.*another[i])(1, std::memory_order_seq_cst); }

// ONCE:      {{^}}member
// ONCE-NEXT: {{^}}table
// ONCE-NOT:  {{.}}
