// SPDX-License-Identifier: GPL-3.0-or-later
//
// A thread that switches when the first one has ended: /proc/self is the first
// thread, and has neither memory nor file any more.
// RUN: %gcc %S/Inputs/restrict.c -o %t.restrict
// RUN: %cxx -O2 -pthread %s %uplock-flags -o %t
// RUN: env UPLOCK=smp %t.restrict kill-mprotect -- %t | FileCheck %s
#include <uplock-process.h>
#include <cstdio>
#include <initializer_list>
#include <pthread.h>
#include <unistd.h>

static int count;
static const char *path;

static void *run(void *main_thread) {
  pthread_join(*static_cast<pthread_t *>(main_thread), nullptr);
  unlink(path); // it is not found by its path either
  for (uplock_mode mode : {UPLOCK_UP, UPLOCK_SMP}) {
    uplock_status status = uplock_process_switch(mode);
    __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
    printf("%s (%s), %zu changed\n", status.mode ? "UP" : "SMP", status.reason,
           status.counts.changed);
  }
  fflush(stdout);
  _exit(0);
}

int main(int, char **arguments) {
  path = arguments[0];
  static pthread_t main_thread = pthread_self(), thread;
  pthread_create(&thread, nullptr, run, &main_thread);
  pthread_exit(nullptr);
}

// CHECK:      UP (uplock_process_switch), 1 changed
// CHECK-NEXT: SMP (uplock_process_switch), 1 changed
