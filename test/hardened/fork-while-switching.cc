// SPDX-License-Identifier: GPL-3.0-or-later
//
// A child that is forked off while another thread switches: the thread that holds
// the loader's lock is not in it, and half of its text may be patched. It counts,
// switches, and is told its mode truly.
// RUN: %cxx -O2 -pthread %s %uplock-flags -o %t
// RUN: env UPLOCK=up taskset -c 0 %t | FileCheck %s
#include <uplock-process.h>
#include <cstdio>
#include <initializer_list>
#include <pthread.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile bool stop;
static int count;

static void *switch_modes(void *) {
  while (!stop) {
    uplock_process_switch(UPLOCK_SMP);
    uplock_process_switch(UPLOCK_UP);
  }
  return nullptr;
}

// Sites in many pages, so that most forks happen between two of them.
template <int N> __attribute__((noinline)) void touch() {
  __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
  asm volatile(".skip 4096, 0x90");
  if constexpr (N > 0)
    touch<N - 1>();
}
constexpr int sites = 16;

static int child() {
  alarm(5);
  int before = count;
  touch<sites - 1>();
  if (count != before + sites)
    return 1;
  for (uplock_mode mode : {UPLOCK_SMP, UPLOCK_UP, UPLOCK_SMP, UPLOCK_SMP}) {
    uplock_status status = uplock_process_switch(mode);
    if (status.mode != mode ||
        status.counts.changed + status.counts.already != status.counts.sites)
      return 2;
  }
  return uplock_process_status().mode;
}

int main() {
  pthread_t thread;
  pthread_create(&thread, nullptr, switch_modes, nullptr);
  int good = 0, bad = 0;
  while (good < 300 && !bad) {
    pid_t pid = fork();
    if (!pid)
      _exit(child());
    int status;
    waitpid(pid, &status, 0);
    if (status)
      printf("child's status: %#x\n", status);
    (status ? bad : good)++;
    sched_yield();
  }
  stop = true;
  pthread_join(thread, nullptr);
  printf("good: %d, bad: %d\n", good, bad);
}

// CHECK: good: 300, bad: 0
