// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two threads load and close two libraries over and over while a third switches:
// a library that is mapped and not relocated yet, or about to go, is in nobody's
// way; each is in the mode that is in force when it is called, and in the end
// everything is locked.
// RUN: %cxx -O2 -DNAME=one %S/Inputs/library.cc -shared -fPIC %uplock-flags \
// RUN:   -o %t.one.so
// RUN: %cxx -O2 -DNAME=two %S/Inputs/library.cc -shared -fPIC %uplock-flags \
// RUN:   -o %t.two.so
// RUN: %cxx -O2 -pthread %s %uplock-flags -ldl -o %t
// RUN: env UPLOCK=up taskset -c 0 %t %t.one.so one %t.two.so two \
// RUN:   | FileCheck %s
#include <uplock-process.h>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <pthread.h>
#include <sched.h>

constexpr long loads = 500, enough_switches = 100;
static volatile long switches;
static int count, running = 2;

static void *load(void *arguments) {
  auto library = static_cast<char **>(arguments);
  for (long i = 0; i < loads || switches < enough_switches; i++) {
    void *handle = dlopen(library[0], RTLD_NOW | RTLD_LOCAL);
    auto call = handle ? (long (*)())dlsym(handle, library[1]) : nullptr;
    if (!call) {
      puts(dlerror());
      exit(1);
    }
    if (call() != 1)
      puts("not a new library");
    dlclose(handle);
  }
  __atomic_fetch_sub(&running, 1, __ATOMIC_SEQ_CST);
  return nullptr;
}

int main(int, char **arguments) {
  pthread_t threads[2];
  pthread_create(&threads[0], nullptr, load, arguments + 1);
  pthread_create(&threads[1], nullptr, load, arguments + 3);

  long wrong = 0;
  for (; __atomic_load_n(&running, __ATOMIC_SEQ_CST); switches = switches + 1) {
    uplock_mode mode = switches % 2 ? UPLOCK_UP : UPLOCK_SMP;
    uplock_status status = uplock_process_switch(mode);
    __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
    wrong += status.mode != mode || status.counts.mismatched;
    if (switches % 8 == 0)
      sched_yield();
  }
  for (pthread_t thread : threads)
    pthread_join(thread, nullptr);
  uplock_status status = uplock_process_switch(UPLOCK_SMP);
  printf("wrong: %ld\n", wrong);
  printf("end: %s, %zu sites\n", status.mode ? "UP" : "SMP",
         status.counts.sites);
}

// CHECK:      wrong: 0
// CHECK-NEXT: end: SMP, 2 sites
