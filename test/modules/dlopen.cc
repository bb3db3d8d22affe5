// SPDX-License-Identifier: GPL-3.0-or-later
//
// Libraries that are loaded while the program runs are patched as they come,
// follow the mode in force, and are switched with the others; those of another
// namespace as well. One that is closed and loaded again elsewhere starts anew.
// RUN: %cxx -O2 %S/Inputs/library.cc -shared -fPIC %uplock-flags -o %t.so
// RUN: %cxx -O2 %s %uplock-flags -ldl -o %t
// RUN: env UPLOCK=up taskset -c 0 %t %t.so | FileCheck %s
// The program need not have uplock for its plugins to have it.
// RUN: %cxx -O2 -DWITHOUT %s -ldl -o %t.without
// RUN: env UPLOCK_LOG=1 UPLOCK=up taskset -c 0 %t.without %t.so 2>&1 \
// RUN:   | FileCheck %s --check-prefix=PLUGIN
#include <dlfcn.h>
#include <sys/mman.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>

#ifdef WITHOUT
static void list(const char *) {}
enum { UPLOCK_SMP, UPLOCK_UP };
static void switch_to(int) {}
#else
#include "Inputs/list.h"
static void switch_to(uplock_mode mode) {
  uplock_status status = uplock_process_switch(mode);
  printf("switched: %s, %zu sites, %zu changed\n", status.mode ? "UP" : "SMP",
         status.counts.sites, status.counts.changed);
}
#endif

static void *check(void *result) {
  if (!result) {
    puts(dlerror());
    exit(1);
  }
  return result;
}

static long call(void *library) {
  return ((long (*)())check(dlsym(library, "count_calls")))();
}

static std::atomic<int> count;

int main(int, char **arguments) {
  count++;
  const char *path = arguments[1];
  list("start");

  void *local = check(dlopen(path, RTLD_NOW | RTLD_LOCAL));
  void *other = check(dlmopen(LM_ID_NEWLM, path, RTLD_NOW));
  list("loaded");
  call(local), call(other);

  switch_to(UPLOCK_SMP);
  list("smp");
  call(local), call(other);

  switch_to(UPLOCK_UP);
  Dl_info info;
  check(dladdr(dlsym(local, "count_calls"), &info) ? &info : nullptr);
  void *address = info.dli_fbase;
  printf("calls: %ld %ld\n", call(local), call(other));
  dlclose(local);
  list("closed");
  // So that it cannot come to the same place.
  check(mmap(address, 4096, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0));

  switch_to(UPLOCK_SMP);
  local = check(dlopen(path, RTLD_LAZY | RTLD_GLOBAL));
  list("again");
  dladdr(dlsym(local, "count_calls"), &info);
  printf("elsewhere: %d, calls: %ld %ld\n", address != info.dli_fbase,
         call(local), call(other));
}

// CHECK:      start: 1 modules
//
// CHECK-NEXT:   dlopen.cc.tmp: UP (UPLOCK=up), 1 sites, 1 changed, 0 mismatched
// CHECK:      loaded: 3 modules
//
// CHECK-NEXT:   dlopen.cc.tmp: UP (UPLOCK=up), 1 sites, 1 changed, 0 mismatched
//
// CHECK-NEXT:   dlopen.cc.tmp.so: UP (UPLOCK=up), 2 sites, 2 changed, 0 mismatched
// CHECK-NEXT:   dlopen.cc.tmp.so: UP (UPLOCK=up), 2 sites, 2 changed, 0 mismatched
// CHECK-NEXT: switched: SMP, 5 sites, 5 changed
//
// CHECK-NEXT: smp: 3 modules
//
// CHECK-NEXT:   dlopen.cc.tmp: SMP (uplock_process_switch), 1 sites, 1 changed
//
// CHECK-NEXT:   dlopen.cc.tmp.so: SMP (uplock_process_switch), 2 sites, 2 changed
// CHECK-NEXT:   dlopen.cc.tmp.so: SMP (uplock_process_switch), 2 sites, 2 changed
// CHECK-NEXT: switched: UP, 5 sites, 5 changed
// CHECK-NEXT: calls: 3 3
//
// CHECK-NEXT: closed: 2 modules
//
// CHECK-NEXT:   dlopen.cc.tmp:
//
// CHECK-NEXT:   dlopen.cc.tmp.so:
//
// CHECK-NEXT: switched: SMP, 3 sites, 3 changed
//
// CHECK-NEXT: again: 3 modules
//
// CHECK-NEXT:   dlopen.cc.tmp: SMP (uplock_process_switch), 1 sites, 1 changed
//
// CHECK-NEXT:   dlopen.cc.tmp.so: SMP (uplock_process_switch), 0 sites
//
// CHECK-NEXT:   dlopen.cc.tmp.so: SMP (uplock_process_switch), 2 sites, 2 changed
// CHECK-NEXT: elsewhere: 1, calls: 1 4

// PLUGIN:      uplock: {{.*}}.so: UP (UPLOCK=up), 2 sites, 2 changed
// PLUGIN-NEXT: uplock: {{.*}}.so: UP (UPLOCK=up), 2 sites, 2 changed
