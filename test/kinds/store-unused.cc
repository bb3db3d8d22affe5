// SPDX-License-Identifier: GPL-3.0-or-later
//
// An exchange whose result nobody reads is a store, whatever the reason: not
// asked for, dropped by the optimisers, read by the debugger alone. One whose
// result is read on some path stays as it is.
// RUN: %cxx -O2 -g -c %s %uplock -fplugin-arg-uplock-cover=store -o %t.o
// RUN: %cxx -O2 -g -c %s -o %t.stock.o
// RUN: %identical %t.stock.o %t.o
// RUN: %prove --cover store --xchg 7 %t.o
// RUN: %cxx -O2 -S %s %uplock -fplugin-arg-uplock-cover=store -o - \
// RUN:   | FileCheck %s
// RUN: %proven-cxx %s %t.d --cover store --identical --xchg 7 -- -O1 -O2 -O3 \
// RUN:   "-O2 -g -fvar-tracking-assignments" -Os "-O2 -m32" "-O2 -fPIC -g"
#include <atomic>

#define NOINLINE __attribute__((noinline, noipa))

// CHECK-LABEL: {{^}}_Z7ignoredRSt6atomicIiEi:
// CHECK: {{^}}.L{{[0-9]+}}:
// CHECK-NEXT: xchgl
void ignored(std::atomic<int> &a, int v) { a.exchange(v); }

// CHECK-LABEL: {{^}}_Z8debuggedRSt6atomicIiEi:
// CHECK: {{^}}.L{{[0-9]+}}:
// CHECK-NEXT: xchgl
void debugged(std::atomic<int> &a, int v) {
  int old = a.exchange(v);
  int twice = old * 2;
  (void)twice;
}

// CHECK-LABEL: {{^}}_Z7droppedRSt6atomicIiEi:
// CHECK: {{^}}.L{{[0-9]+}}:
// CHECK-NEXT: xchgl
int dropped(std::atomic<int> &a, int v) { return a.exchange(v) & 0; }

// CHECK-LABEL: {{^}}_Z8assignedRSt6atomicIiEi:
// CHECK: {{^}}.L{{[0-9]+}}:
// CHECK-NEXT: xchgl
int assigned(std::atomic<int> &a, int v) { return a = v; }

static inline int helper(std::atomic<int> &a, int v) { return a.exchange(v); }
// CHECK-LABEL: {{^}}_Z7inlinedRSt6atomicIiEi:
// CHECK: {{^}}.L{{[0-9]+}}:
// CHECK-NEXT: xchgl
void inlined(std::atomic<int> &a, int v) { helper(a, v); }

void loop(std::atomic<long> *a, int n) {
  for (int i = 0; i < n; i++)
    a[i] = i;
}

// Read.

// CHECK-LABEL: {{^}}_Z4usedRSt6atomicIiEi:
// CHECK-NOT: {{^}}.L{{[0-9]+}}:{{[[:space:]]}}xchgl
// CHECK: ret
int used(std::atomic<int> &a, int v) { return a.exchange(v); }
void use(int);
int on_one_path(std::atomic<int> &a, int v, bool b) {
  int old = a.exchange(v);
  use(1);
  if (b)
    use(old);
  return 0;
}
bool compared(std::atomic<char> &a) { return a.exchange(1) == 3; }
void swapped(std::atomic<long> &a, std::atomic<long> &b) { b = a.exchange(7); }
int carried(std::atomic<int> &a, int n) {
  int v = 0;
  while (n--)
    v = a.exchange(v);
  return 0;
}
bool flag(std::atomic_flag &f) { return f.test_and_set(); }
// Its result goes to a register variable that an asm reads.
void to_assembly(std::atomic<int> &a) {
  int old = a.exchange(3);
  asm volatile("" ::"r"(old));
}
