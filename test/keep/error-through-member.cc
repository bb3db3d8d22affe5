// SPDX-License-Identifier: GPL-3.0-or-later
//
// A member of std::atomic is inlined into patched code: a kept function that
// must be inlined into the member would get there with it.
// RUN: for o in 0 2; do \
// RUN:   not %cxx -O$o -c %s %uplock -o %t.o 2>&1 | FileCheck %s \
// RUN:     --implicit-check-not='error:' || exit; done
#include <atomic>

[[uplock::keep]] inline __attribute__((always_inline)) int kept(int *p) {
  return __atomic_fetch_add(p, 1, 5);
}

struct Mine {};
template <> struct std::atomic<Mine> {
  int value;
  int increment() {
    return kept(&value);
    // CHECK: error-through-member.cc:[[#@LINE-1]]:{{[0-9]+}}: error: kept function 'int kept(int*)' is always inlined and would be patched in '{{.*}}increment()'; mark
  }
};

int patched(std::atomic<Mine> &number) { return number.increment(); }
