// SPDX-License-Identifier: GPL-3.0-or-later
//
// A module is patched before its own constructors run, those of the highest
// priority included.
// RUN: %cxx -O2 -DLIBRARY -fPIC -shared %s %uplock-flags -o %t.so
// RUN: %cxx -O2 -Wl,--no-as-needed %s %t.so %uplock-flags -o %t
// RUN: env UPLOCK=up taskset -c 0 %t | FileCheck %s
// RUN: env UPLOCK=smp %t | FileCheck %s --check-prefix=SMP
#include <uplock-process.h>
#include <atomic>
#include <cstdio>

static std::atomic<int> counter;

__attribute__((constructor(101))) static void first() {
  counter++;
  uplock_status status = uplock_process_status();
  printf("mode %d, %zu changed, %s\n", status.mode, status.counts.changed,
         status.reason);
}

#ifndef LIBRARY
int main() { return counter != 1; }
#endif

// The library first, then the program as well.
// CHECK:      mode 1, 1 changed, UPLOCK=up
// CHECK-NEXT: mode 1, 2 changed, UPLOCK=up
// SMP:        mode 0, 0 changed, UPLOCK=smp
// SMP-NEXT:   mode 0, 0 changed, UPLOCK=smp
