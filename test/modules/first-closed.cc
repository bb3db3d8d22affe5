// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program without uplock, whose first plugin decides the mode and is closed: the
// mode that is in force lives on in the others. When all are gone, nothing is left
// to remember it, and the next decides anew.
// RUN: %cxx -O2 -DPLUGIN %s -shared -fPIC %uplock-flags -o %t.one.so
// RUN: cp %t.one.so %t.two.so && cp %t.one.so %t.three.so
// RUN: %cxx -O2 %s -ldl -o %t
// RUN: env UPLOCK=up taskset -c 0 %t %t.one.so %t.two.so %t.three.so \
// RUN:   | FileCheck %s
#ifdef PLUGIN
#include <uplock-process.h>
static int count;

extern "C" int mode() {
  __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
  return uplock_process_status().mode;
}
extern "C" int changed_by_switch(int mode) {
  return int(uplock_process_switch(uplock_mode(mode)).counts.changed);
}
#else
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>

struct Plugin {
  void *library;
  explicit Plugin(const char *path) : library(dlopen(path, RTLD_NOW)) {
    if (!library)
      puts(dlerror()), exit(1);
  }
  void close() { dlclose(library); }
  const char *mode() {
    return ((int (*)())dlsym(library, "mode"))() ? "UP" : "SMP";
  }
  int switch_to(int mode) {
    return ((int (*)(int))dlsym(library, "changed_by_switch"))(mode);
  }
};

int main(int, char **paths) {
  Plugin one(paths[1]), two(paths[2]);
  printf("decided: %s, %s\n", one.mode(), two.mode());
  printf("changed: %d\n", one.switch_to(0));
  one.close();
  printf("the first is closed: %s\n", two.mode());
  Plugin three(paths[3]);
  printf("a third follows: %s\n", three.mode());
  two.close();
  printf("and is alone: %s\n", three.mode());
  printf("changed: %d\n", three.switch_to(1));
  Plugin again(paths[1]);
  printf("another follows: %s\n", again.mode());
  printf("changed: %d\n", again.switch_to(0));
  three.close();
  again.close();
  Plugin new_one(paths[1]);
  printf("when all were gone: %s\n", new_one.mode());
}
#endif

// CHECK:      decided: UP, UP
// CHECK-NEXT: changed: 2
// CHECK-NEXT: the first is closed: SMP
// CHECK-NEXT: a third follows: SMP
// CHECK-NEXT: and is alone: SMP
// CHECK-NEXT: changed: 1
// CHECK-NEXT: another follows: UP
// CHECK-NEXT: changed: 2
// CHECK-NEXT: when all were gone: UP
