// SPDX-License-Identifier: GPL-3.0-or-later
//
// With default=keep the functions that are marked patch are as fast as ever:
// helpers that have nothing to keep are inlined into them. What has something,
// itself or by what it calls, is not.
// RUN: for o in 1 2 3; do \
// RUN:   %cxx -O$o -finline-functions -finline-small-functions -c %s %uplock \
// RUN:     -fplugin-arg-uplock-default=keep -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s && \
// RUN:   objdump -dr -C --no-show-raw-insn %t.$o.o \
// RUN:     | FileCheck %s --check-prefix=CALLS || exit; done
#include <atomic>
#include <vector>

std::atomic<int> n;

#pragma uplock keep
#pragma uplock pop
// The default holds here, as before.

static inline int plain(int k) { return 3 * k + 1; }
static inline int with_site(int k) { return n.fetch_add(k); }
static inline int calls_one(int k) { return with_site(k) + 1; }

[[uplock::patch]] int patched(const std::vector<int> &numbers) {
  n++;
  int sum = 0;
  for (int number : numbers)
    sum += plain(number);
  return sum;
}
// CHECK-DAG: {{^}}patched(std::vector<{{.*}}): 1 locked, 1 recorded
// CALLS-LABEL: <patched(std::vector<{{.*}}>:
// CALLS-NOT: call

[[uplock::patch]] int also_patched(int k) {
  n++;
  return calls_one(k);
}
// CHECK-DAG: {{^}}also_patched(int): 1 locked, 1 recorded
// CALLS-LABEL: <also_patched(int)>:
// CALLS: {{call|jmp}} {{.*(calls_one|with_site)}}

int kept(int k) { return calls_one(k) + calls_one(k + 1); }
// CHECK-DAG: {{^}}kept(int): {{[0-2]}} locked, 0 recorded
