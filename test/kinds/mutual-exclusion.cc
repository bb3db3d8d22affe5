// SPDX-License-Identifier: GPL-3.0-or-later
//
// Locks made of stores and fences (Dekker, Peterson), of test_and_set and of an
// exchange, by threads that preempt each other and a signal handler, pinned to
// one CPU, without a locked instruction: nobody is ever inside with another.
// RUN: %cxx -O2 -pthread %s %uplock-flags -fplugin-arg-uplock-cover=all -o %t
// RUN: %prove --cover all %t
// RUN: env UPLOCK_LOG=1 UPLOCK=up taskset -c 0 %t 2>&1 | FileCheck %s
// RUN: %cxx -O0 -pthread %s %uplock-flags -fplugin-arg-uplock-cover=all -o %t.O0
// RUN: %prove --cover all %t.O0
// RUN: env UPLOCK_LOG=1 UPLOCK=up taskset -c 0 %t.O0 2>&1 | FileCheck %s
// RUN: %cxx -O2 -mtune=k8 -pthread %s %uplock-flags \
// RUN:   -fplugin-arg-uplock-cover=all -o %t.k8
// RUN: env UPLOCK_LOG=1 UPLOCK=up taskset -c 0 %t.k8 2>&1 | FileCheck %s
// On many CPUs, locked:
// RUN: env UPLOCK_LOG=1 UPLOCK=smp %t 2>&1 | FileCheck %s --check-prefix=SMP

// The control: a lock that checks first and sets then lets several in.
// RUN: %cxx -O0 -pthread -DBROKEN %s -o %t.broken
// RUN: taskset -c 0 %t.broken | FileCheck %s --check-prefix=BROKEN
#include <atomic>
#include <csignal>
#include <cstdio>
#include <sched.h>
#include <sys/time.h>
#include <thread>
#include <vector>

using std::atomic;
constexpr auto relaxed = std::memory_order_relaxed;
constexpr auto acquire = std::memory_order_acquire;
constexpr auto release = std::memory_order_release;

// All locks: of two threads, numbered 0 and 1, or of any number.

struct DekkerByStores {
  atomic<bool> wants[2] = {};
  atomic<int> turn{0};
  void lock(int me) {
    wants[me] = true;
    while (wants[!me])
      if (turn != me) {
        wants[me] = false;
        while (turn != me)
          sched_yield();
        wants[me] = true;
      }
  }
  void unlock(int me) {
    turn = !me;
    wants[me] = false;
  }
};

struct PetersonByFences {
  atomic<char> wants[2] = {};
  atomic<int> turn{0};
  void lock(int me) {
    wants[me].store(1, relaxed);
    turn.store(!me, relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    while (wants[!me].load(acquire) && turn.load(relaxed) == !me)
      sched_yield();
  }
  void unlock(int me) { wants[me].store(0, release); }
};

struct PetersonByExchange { // of the turn, its result ignored
  atomic<short> wants[2] = {};
  atomic<long> turn{0};
  void lock(int me) {
    wants[me].store(1, relaxed);
    turn.exchange(!me);
    while (wants[!me] && turn == !me)
      sched_yield();
  }
  void unlock(int me) { wants[me] = 0; }
};

struct SpinByFlag {
  std::atomic_flag held = ATOMIC_FLAG_INIT;
  void lock(int) {
    while (held.test_and_set(acquire))
      sched_yield();
  }
  void unlock(int) { held.clear(release); }
};

struct SpinByExchange {
  atomic<long> held{0};
  void lock(int) {
    while (held.exchange(1, acquire))
      sched_yield();
  }
  void unlock(int) { held = 0; }
};

struct Queue { // each exchanges itself in, and waits for the one before
  struct Node {
    atomic<bool> done{true};
  };
  Node first;
  atomic<Node *> last{&first};
  Node nodes[2][2];
  int spare[2] = {};
  void lock(int me) {
    Node *mine = &nodes[me][spare[me]];
    mine->done.store(false, relaxed);
    for (Node *before = last.exchange(mine); !before->done.load(acquire);)
      sched_yield();
  }
  void unlock(int me) {
    nodes[me][spare[me]].done = true;
    spare[me] ^= 1;
  }
};

struct Broken {
  volatile int held = 0;
  void lock(int) {
    while (held)
      ;
    held = 1;
  }
  void unlock(int) { held = 0; }
};

static std::atomic<long> handled;
static atomic<int> cell;

// An exchange by the handler between any two instructions of another.
static void on_timer(int) {
  handled++;
  int mine = cell.exchange(-1);
  cell.store(mine);
}

template <class Lock> void run(const char *name, int rounds = 300'000) {
  static Lock lock;
  static volatile long inside, overlaps, total;
  auto work = [&](int me) {
    for (int i = 0; i < rounds; i++) {
      lock.lock(me);
      inside = inside + 1;
      total = total + 1;
      overlaps = overlaps + (inside != 1);
      inside = inside - 1;
      lock.unlock(me);
    }
  };
  std::thread one(work, 0), other(work, 1);
  one.join(), other.join();
  printf("%s: %s\n", name,
         !overlaps && total == 2 * rounds ? "exclusive" : "broken");
}

int main() {
  struct sigaction action {};
  action.sa_handler = on_timer;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, nullptr);
  itimerval every{{0, 100}, {0, 100}}, never{};
  setitimer(ITIMER_REAL, &every, nullptr);
#ifdef BROKEN
  run<Broken>("broken", 30'000'000);
#else
  run<DekkerByStores>("Dekker by stores");
  run<PetersonByFences>("Peterson by fences");
  run<PetersonByExchange>("Peterson by exchange");
  run<SpinByFlag>("spin by flag");
  run<SpinByExchange>("spin by exchange");
  run<Queue>("queue by exchange");
#endif
  setitimer(ITIMER_REAL, &never, nullptr);
  printf("interrupted: %s\n", handled > 5 ? "often" : "hardly");
}

// CHECK: uplock: {{.*}}: UP (UPLOCK=up), [[SITES:[0-9]+]] sites{{.*}}, [[SITES]] changed, 0 mismatched
// CHECK-COUNT-6: : exclusive
// CHECK-NEXT: interrupted: often
// SMP: uplock: {{.*}}: SMP
// SMP-COUNT-6: : exclusive
// BROKEN: broken: broken
