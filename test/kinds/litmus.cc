// SPDX-License-Identifier: GPL-3.0-or-later
//
// On two CPUs, in SMP mode, seq_cst operations let no thread see the other's
// store late (store buffering) or early (load buffering): the switch's way, the
// stores and the fences are whole. With them patched by force, which is wrong
// on two CPUs, store buffering does show: so this test can see what it looks
// for.
// REQUIRES: two-cpus
// RUN: %cxx -O2 -pthread %s %uplock-flags -fplugin-arg-uplock-cover=all -o %t
// RUN: %prove --cover all %t
// RUN: env UPLOCK=smp %t 2 | FileCheck %s --check-prefix=SMP
// RUN: %cxx -O2 -mtune=k8 -pthread %s %uplock-flags \
// RUN:   -fplugin-arg-uplock-cover=all -o %t.k8
// RUN: env UPLOCK=smp %t.k8 1 | FileCheck %s --check-prefix=SMP
// RUN: env UPLOCK=up %t 20 forced | FileCheck %s --check-prefix=FORCED
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <pthread.h>
#include <sched.h>
#include <thread>

using std::atomic;
constexpr auto relaxed = std::memory_order_relaxed;
constexpr int batch = 2000;

// One cell a line; a row for each round of a batch.
struct Row {
  alignas(128) atomic<int> x;
  alignas(128) atomic<int> y;
  alignas(128) int seen[2];
};
static Row rows[batch];
static atomic<int> round_of[2];
static atomic<bool> stop;

static void pin(int which) {
  cpu_set_t allowed, mine;
  sched_getaffinity(0, sizeof allowed, &allowed);
  CPU_ZERO(&mine);
  for (int cpu = 0; cpu < CPU_SETSIZE; cpu++)
    if (CPU_ISSET(cpu, &allowed) && which-- == 0)
      CPU_SET(cpu, &mine);
  pthread_setaffinity_np(pthread_self(), sizeof mine, &mine);
}

// Waits until the other has come as far; false at the end.
static bool meet(int me, int where) {
  round_of[me].store(where, std::memory_order_release);
  while (round_of[!me].load(std::memory_order_acquire) < where)
    if (stop.load(relaxed))
      return false;
  return true;
}

struct ByStores {
  static constexpr const char *name = "store buffering, stores";
  static int step(atomic<int> &mine, atomic<int> &other) {
    mine.store(1);
    return other.load();
  }
  static bool is_forbidden(const Row &row) {
    return !row.seen[0] && !row.seen[1];
  }
};
struct ByFences : ByStores {
  static constexpr const char *name = "store buffering, fences";
  static int step(atomic<int> &mine, atomic<int> &other) {
    mine.store(1, relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    return other.load(relaxed);
  }
};
struct ByExchanges : ByStores {
  static constexpr const char *name = "store buffering, exchanges";
  static int step(atomic<int> &mine, atomic<int> &other) {
    int old = mine.exchange(1);
    return other.load() + old;
  }
};
struct LoadBuffering : ByStores {
  static constexpr const char *name = "load buffering";
  static int step(atomic<int> &mine, atomic<int> &other) {
    int seen = other.load();
    mine.store(1);
    return seen;
  }
  static bool is_forbidden(const Row &row) {
    return row.seen[0] && row.seen[1];
  }
};

template <class Test> void run(double seconds, bool until_seen) {
  using clock = std::chrono::steady_clock;
  auto end = clock::now() + std::chrono::duration<double>(seconds);
  stop = false;
  round_of[0] = round_of[1] = 0;
  long forbidden = 0, rounds = 0;
  auto work = [&](int me) {
    pin(me);
    int at = 0;
    for (;;) {
      for (Row &row : rows) {
        if (!meet(me, ++at))
          return;
        row.seen[me] = me ? Test::step(row.y, row.x) : Test::step(row.x, row.y);
      }
      if (!meet(me, ++at))
        return;
      if (me == 0) {
        for (Row &row : rows) {
          forbidden += Test::is_forbidden(row);
          row.x.store(0, relaxed), row.y.store(0, relaxed);
        }
        rounds += batch;
        if (clock::now() > end || (until_seen && forbidden)) {
          stop = true;
          return;
        }
      }
      if (!meet(me, ++at))
        return;
    }
  };
  std::thread one(work, 0), other(work, 1);
  one.join(), other.join();
  printf("%s: %s\n", Test::name, forbidden ? "seen" : "never");
  if (rounds < 1000)
    printf("too few rounds: %ld\n", rounds);
}

int main(int argc, char **argv) {
  double seconds = atof(argv[1]) / 4;
  bool forced = argc > 2;
  run<ByStores>(seconds, forced);
  run<ByFences>(seconds, forced);
  if (!forced) {
    run<ByExchanges>(seconds, false);
    run<LoadBuffering>(seconds, false);
  }
}

// SMP:      store buffering, stores: never
// SMP-NEXT: store buffering, fences: never
// SMP-NEXT: store buffering, exchanges: never
// SMP-NEXT: load buffering: never
// SMP-NOT:  too few

// FORCED:      store buffering, stores: seen
// FORCED-NEXT: store buffering, fences: seen
