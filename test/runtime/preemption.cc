// SPDX-License-Identifier: GPL-3.0-or-later
//
// Four threads on one CPU and a timer whose signal handler joins in: without a
// single lock every count is exact, since one instruction cannot be interrupted.
// RUN: %cxx -O2 -pthread %s %uplock-flags -o %t
// RUN: env UPLOCK_LOG=1 UPLOCK=up taskset -c 0 %t 2>&1 | FileCheck %s
// RUN: %cxx -O0 -pthread -static %s %uplock-flags -o %t.O0
// RUN: env UPLOCK_LOG=1 UPLOCK=up taskset -c 0 %t.O0 2>&1 | FileCheck %s

// The control: the same with plain operations loses counts, so the preemption
// is real. (Each step is read, modify, write, with time to be interrupted.)
// RUN: %cxx -O0 -pthread -DPLAIN %s -o %t.plain
// RUN: taskset -c 0 %t.plain | FileCheck %s --check-prefix=PLAIN
#include <atomic>
#include <csignal>
#include <cstdio>
#include <memory>
#include <sys/time.h>
#include <thread>
#include <vector>

constexpr int threads = 4, rounds = 5'000'000, often = 20;

#ifdef PLAIN
template <class T> using Cell = volatile T;
#else
template <class T> using Cell = std::atomic<T>;
#endif

Cell<long> by_add, by_handler;
Cell<short> narrow;
Cell<unsigned char> tiny;
std::atomic<long> by_cas;
std::atomic<unsigned> bits;
std::shared_ptr<int> shared = std::make_shared<int>(1);
volatile long handled;

static void on_timer(int) {
  handled = handled + 1;
  by_handler = by_handler + 0; // keeps the cell's line in use
  by_handler += 1;
  by_add += 1;
}

static void work_once(int id) {
  for (int i = 0; i < rounds; i++) {
    by_add += 1;
    narrow += 1;
    tiny += 1;
#ifndef PLAIN
    long seen = by_cas;
    while (!by_cas.compare_exchange_weak(seen, seen + 1)) {
    }
    bits ^= 1u << id;
    auto copy = shared;
#endif
  }
}

// For as long as the timer has not come often: on a busy machine.
static long done[threads];
static void work(int id) {
  do {
    work_once(id);
    done[id] += rounds;
  } while (handled <= often);
}

int main() {
  struct sigaction action {};
  action.sa_handler = on_timer;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  itimerval every{{0, 100}, {0, 100}};
  setitimer(ITIMER_REAL, &every, nullptr);

  std::vector<std::thread> pool;
  for (int id = 0; id < threads; id++)
    pool.emplace_back(work, id);
  for (std::thread &thread : pool)
    thread.join();

  itimerval never{};
  setitimer(ITIMER_REAL, &never, nullptr);
  long total = 0;
  for (long steps : done)
    total += steps;
  printf("interrupted: %s\n", handled > often ? "often" : "hardly");
  printf("add: %s\n", by_add == total + handled ? "exact" : "wrong");
#ifndef PLAIN
  printf("handler: %s\n", by_handler == handled ? "exact" : "wrong");
  printf("narrow: %s\n", narrow == short(total) ? "exact" : "wrong");
  printf("tiny: %s\n", tiny == (unsigned char)total ? "exact" : "wrong");
  printf("cas: %s\n", by_cas == total ? "exact" : "wrong");
  printf("bits: %u\n", bits.load());
  printf("references: %ld\n", shared.use_count());
#endif
}

// CHECK:      uplock: {{.*}}: UP (UPLOCK=up), [[SITES:[0-9]+]] sites, [[SITES]] changed
// CHECK-NEXT: interrupted: often
// CHECK-NEXT: add: exact
// CHECK-NEXT: handler: exact
// CHECK-NEXT: narrow: exact
// CHECK-NEXT: tiny: exact
// CHECK-NEXT: cas: exact
// CHECK-NEXT: bits: 0
// CHECK-NEXT: references: 1

// PLAIN:      interrupted: often
// PLAIN-NEXT: add: wrong
