// SPDX-License-Identifier: GPL-3.0-or-later
//
// A member whose body is not here is called, and may be patched where it is: an
// error, also where another member stands between.
// RUN: not %cxx -O0 -c %s %uplock -o %t.o 2>&1 | FileCheck %s \
// RUN:   --implicit-check-not='error:'
// RUN: %cxx -O2 -c %s %uplock -o %t.o
// RUN: %sites %t.o | FileCheck %s --check-prefix=SITES
#include <atomic>

struct Pair {
  int a, b;
};
extern template struct std::atomic<Pair>;
std::atomic<Pair> pair;

[[uplock::keep]] int kept_member(Pair value) {
  return pair.exchange(value).a;
  // CHECK-DAG: error-member-elsewhere.cc:[[#@LINE-1]]:{{[0-9]+}}: error: kept function 'int kept_member(Pair)' calls '{{.*}}::exchange({{.*}}', which is defined elsewhere and may be patched; use a builtin such as '__atomic_fetch_add'
}

[[uplock::keep]] int kept_free(Pair value) {
  return std::atomic_exchange(&pair, value).a;
  // CHECK-DAG: error-member-elsewhere.cc:[[#@LINE-1]]:{{[0-9]+}}: error: kept function 'int kept_free(Pair)' calls '{{.*}}::exchange({{.*}}'
}

int patched(Pair value) { return pair.exchange(value).a; }

// With optimisation the bodies are there, and inlined.
// SITES-DAG: {{^}}kept_member(Pair): 1 locked, 0 recorded
// SITES-DAG: {{^}}kept_free(Pair): 1 locked, 0 recorded
