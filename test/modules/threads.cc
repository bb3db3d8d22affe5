// SPDX-License-Identifier: GPL-3.0-or-later
//
// A library's constructor starts threads that run the library's code before the
// library is patched, and while it is switched there and back many times over:
// no increment is lost.
// RUN: %cxx -O2 -DLIBRARY %s -shared -fPIC %uplock-flags -pthread -o %t.so
// RUN: %cxx -O2 %s %t.so %uplock-flags -pthread -o %t
// RUN: env UPLOCK=up taskset -c 0 %t | FileCheck %s
#include <uplock-process.h>
#include <atomic>
#include <cstdio>
#include <pthread.h>
#include <sched.h>

extern "C" long count_until_stopped();

#ifdef LIBRARY
static std::atomic<bool> stop;
static std::atomic<long> total;
static long counted[2];
static pthread_t threads[2];

static void *count(void *own) {
  while (!stop) {
    for (int i = 0; i < 1000; i++)
      total++;
    *static_cast<long *>(own) += 1000;
  }
  return nullptr;
}

static void start_threads() {
  for (int i = 0; i < 2; i++)
    pthread_create(&threads[i], nullptr, count, &counted[i]);
  while (total < 100000)
    sched_yield();
  printf("when the threads have run: %s\n",
         uplock_process_status().mode ? "UP" : "SMP");
}
// Before uplock's, which is of the same priority and linked later.
__attribute__((section(".init_array.00000"),
               used)) static void (*const first)() = start_threads;

// How many increments were lost.
extern "C" long count_until_stopped() {
  stop = true;
  for (pthread_t thread : threads)
    pthread_join(thread, nullptr);
  return counted[0] + counted[1] - total;
}
#else
int main() {
  printf("start: %s\n", uplock_process_status().mode ? "UP" : "SMP");
  long changed = 0;
  for (int i = 0; i < 300; i++) {
    changed += uplock_process_switch(UPLOCK_SMP).counts.changed;
    sched_yield();
    changed += uplock_process_switch(UPLOCK_UP).counts.changed;
    sched_yield();
  }
  printf("lost: %ld, ", count_until_stopped());
  printf("changed: %ld\n", changed);
}
#endif

// CHECK:      when the threads have run: SMP
// CHECK-NEXT: start: UP
// CHECK-NEXT: lost: 0, changed: {{600|1200}}
