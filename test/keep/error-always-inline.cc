// SPDX-License-Identifier: GPL-3.0-or-later
//
// A kept function that must be inlined into one that is not kept cannot be kept
// there: an error, once, at the call, with the way out.
// RUN: for o in 0 2; do \
// RUN:   not %cxx -O$o -c %s %uplock -o %t.o 2>&1 | FileCheck %s \
// RUN:     --implicit-check-not='error:' || exit; done
// RUN: %cxx -O2 -DMARKED -c %s %uplock -o %t.o
// RUN: %sites %t.o | FileCheck %s --check-prefix=SITES

int n;

[[uplock::keep]] inline __attribute__((always_inline)) void kept() {
  __atomic_fetch_add(&n, 1, 5);
}

#ifdef MARKED
[[uplock::keep]]
#endif
void caller() {
  kept();
  // CHECK: error-always-inline.cc:[[#@LINE-1]]:{{[0-9]+}}: error: kept function 'void kept()' is always inlined and would be patched in 'void caller()'; mark 'void caller()' 'uplock_keep' too, or take 'always_inline' away
}
// SITES: {{^}}caller(): 1 locked, 0 recorded
