// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program without uplock loads a library into a namespace of its own, which
// switches; what is loaded later into the program's own namespace, and so comes
// before it in the loader's list, follows the mode that is in force.
// RUN: %cxx -O2 -DLIBRARY %s -shared -fPIC %uplock-flags -o %t.so
// RUN: %cxx -O2 %s -ldl -o %t
// RUN: env UPLOCK=up taskset -c 0 %t %t.so | FileCheck %s
#include <dlfcn.h>
#include <cstdio>

#ifdef LIBRARY
#include "Inputs/list.h"
static int count;
extern "C" void switch_back() {
  __atomic_fetch_add(&count, 1, 5);
  uplock_process_switch(UPLOCK_SMP);
}
extern "C" void show() {
  list("modules");
  fflush(stdout);
}
#else
int main(int, char **arguments) {
  void *other = dlmopen(LM_ID_NEWLM, arguments[1], RTLD_NOW);
  ((void (*)())dlsym(other, "switch_back"))();
  void *own = dlopen(arguments[1], RTLD_NOW);
  ((void (*)())dlsym(own, "show"))();
  ((void (*)())dlsym(other, "show"))();
}
#endif

// CHECK:      modules: 2 modules
// CHECK-NEXT: SMP (uplock_process_switch), 0 sites, 0 changed
// CHECK-NEXT: SMP (uplock_process_switch), 1 sites, 1 changed
// CHECK-NEXT: modules: 2 modules
// CHECK-NEXT: SMP (uplock_process_switch), 0 sites, 0 changed
// CHECK-NEXT: SMP (uplock_process_switch), 1 sites, 1 changed
