// SPDX-License-Identifier: GPL-3.0-or-later
//
// The switch comes before every constructor: the program's, with the highest
// priority, and those of the shared libraries that it needs.
// RUN: %cxx -O2 -DLIBRARY -fPIC -shared %s -I%root/runtime -o %t.so
// RUN: %cxx -O2 -Wl,--no-as-needed %s %t.so %uplock-flags -o %t
// RUN: env UPLOCK=up taskset -c 0 %t | FileCheck %s
// RUN: env UPLOCK=smp %t | FileCheck %s --check-prefix=SMP
#include <uplock-process.h>
#include <atomic>
#include <cstdio>

#ifdef LIBRARY
// Found in the executable: weak, since the library does not link it.
extern "C" __attribute__((weak)) uplock_status uplock_process_status();
#define WHERE "library"
#else
#define WHERE "program"
std::atomic<int> counter;
int main() { return counter.exchange(0) != 1; }
#endif

__attribute__((constructor(101))) static void first() {
#ifndef LIBRARY
  counter++;
#endif
  uplock_status status = uplock_process_status();
  printf("%s: mode %d, %zu changed, %s\n", WHERE, status.mode,
         status.counts.changed, status.reason);
}

// CHECK:      library: mode 1, 1 changed, UPLOCK=up
// CHECK-NEXT: program: mode 1, 1 changed, UPLOCK=up
// SMP:        library: mode 0, 0 changed, UPLOCK=smp
// SMP-NEXT:   program: mode 0, 0 changed, UPLOCK=smp
