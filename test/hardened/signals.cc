// SPDX-License-Identifier: GPL-3.0-or-later
//
// Signals at a high rate whose handler runs the code that is being switched, also
// in the middle of a switch: every count is exact. Through /proc/self/mem and by
// mprotect.
// RUN: %gcc %S/Inputs/restrict.c -o %t.restrict
// RUN: %cxx -O2 -pthread %s %uplock-flags -o %t
// RUN: env UPLOCK=up taskset -c 0 %t | FileCheck %s
// RUN: env UPLOCK=up taskset -c 0 %t.restrict no-pwrite -- %t | FileCheck %s
#include <uplock-process.h>
#include <csignal>
#include <cstdio>
#include <pthread.h>
#include <sys/time.h>

static long by_all, by_thread, by_main, handled;

// Sites in many pages.
template <int N> __attribute__((noinline)) void add() {
  __atomic_fetch_add(&by_all, 1, __ATOMIC_SEQ_CST);
  asm volatile(".skip 4096, 0x90");
  if constexpr (N > 0)
    add<N - 1>();
}
constexpr int sites = 16;

// In either thread, and in both at once.
static void on_timer(int) {
  __atomic_fetch_add(&handled, 1, __ATOMIC_SEQ_CST);
  add<sites - 1>();
}

static volatile bool stop;
static void *run(void *) {
  for (; !stop; by_thread++)
    add<sites - 1>();
  return nullptr;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, run, nullptr);
  struct sigaction action {};
  action.sa_handler = on_timer;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  itimerval every{{0, 60}, {0, 60}}, never{};
  setitimer(ITIMER_REAL, &every, nullptr);

  long switches = 0, wrong = 0;
  for (; switches < 300 || handled < 300; switches++, by_main++) {
    uplock_mode mode = switches % 2 ? UPLOCK_UP : UPLOCK_SMP;
    uplock_status status = uplock_process_switch(mode);
    wrong += status.mode != mode || status.counts.mismatched ||
             status.counts.changed != status.counts.sites;
    add<sites - 1>();
  }
  setitimer(ITIMER_REAL, &never, nullptr);
  stop = true;
  pthread_join(thread, nullptr);
  printf("wrong: %ld\n", wrong);
  printf("total: %s\n",
         by_all == sites * (by_main + by_thread + handled) ? "exact" : "wrong");
}

// CHECK:      wrong: 0
// CHECK-NEXT: total: exact
