// SPDX-License-Identifier: MIT
//
// See workload.h. Every total below can be told in advance from the number of
// rounds; a single lost update shows.
//
// The atomics are those that kernels use, and together they give every form of
// locked instruction that GCC makes of them: add, inc, xadd, dec with a
// conditional jump, bts and btr, cmpxchg, with operands of 16 bits (where the
// LOCK prefix is not the first byte) and of a word. The exchanges and the store
// are patched only if the kernel is compiled to cover them.

#include "workload.h"
#include "locks.h"
#include "queue.h"
#include "serial.h"
#include "threads.h"

#include <atomic>

namespace {

constexpr unsigned all_threads = workload_threads + workload_guests;

// What a thread knows without asking others.
struct Own {
  uintptr_t rounds, pushed, popped, pushed_sum, popped_sum, claims, given,
      taken;
};
Own own[all_threads];

std::atomic<uintptr_t> counter;
std::atomic<uint16_t> halfword;
std::atomic<unsigned> bits;
std::atomic<uintptr_t> tickets_sum;
std::atomic<unsigned> references;
std::atomic<unsigned> destroyed;
Mutex mutex;
volatile uintptr_t guarded;
Queue queue;
std::atomic_flag claimed = ATOMIC_FLAG_INIT;
volatile uintptr_t claims;
std::atomic<uintptr_t> parcel;

std::atomic<bool> stop;
unsigned rounds_wanted;
unsigned wrong;

void take_reference() { references.fetch_add(1, std::memory_order_relaxed); }

void drop_reference() {
  if (references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    destroyed++;
}

void run(unsigned thread) {
  const Own &self = own[thread];
  while (rounds_wanted ? self.rounds < rounds_wanted
                       : !stop.load(std::memory_order_relaxed))
    workload_round(thread);
}

void check(const char *what, uintptr_t found, uintptr_t wanted) {
  print("  ", what, ": ", found, " of ", wanted,
        found == wanted ? "\n" : "  WRONG\n");
  wrong += found != wanted;
}

} // namespace

void workload_round(unsigned thread) {
  Own &self = own[thread];

  take_reference();
  counter++;
  halfword++;
  unsigned bit = 1u << thread;
  if (!(bits.fetch_or(bit) & bit))
    counter += 2;
  if (bits.fetch_and(~bit) & bit)
    tickets_sum.fetch_add(1);

  mutex.lock();
  guarded = guarded + 1;
  mutex.unlock();

  uintptr_t value = self.rounds * all_threads + thread;
  if (queue.push(value)) {
    self.pushed++;
    self.pushed_sum += value;
  }
  if (queue.pop(value)) {
    self.popped++;
    self.popped_sum += value;
  }

  if (!claimed.test_and_set(std::memory_order_acquire)) {
    claims = claims + 1;
    self.claims++;
    claimed.clear();
  }
  self.given += value;
  self.taken += parcel.exchange(value);

  drop_reference();
  self.rounds++;
}

void workload_start(unsigned rounds) {
  for (Own &each : own)
    each = {};
  counter = 0;
  halfword = 0;
  bits = 0;
  tickets_sum = 0;
  references = 1;
  destroyed = 0;
  guarded = 0;
  queue.init();
  claims = 0;
  parcel = 0;
  stop = false;
  rounds_wanted = rounds;
  for (unsigned i = 0; i < workload_threads; i++)
    start_thread(run, i);
}

unsigned long workload_rounds() {
  unsigned long sum = 0;
  for (const Own &each : own)
    sum += *const_cast<const volatile uintptr_t *>(&each.rounds);
  return sum;
}

bool workload_finish() {
  stop = true;
  join_threads();

  Own all{};
  for (const Own &each : own) {
    all.rounds += each.rounds;
    all.pushed += each.pushed;
    all.popped += each.popped;
    all.pushed_sum += each.pushed_sum;
    all.popped_sum += each.popped_sum;
    all.claims += each.claims;
    all.given += each.given;
    all.taken += each.taken;
  }
  for (uintptr_t value; queue.pop(value);) {
    all.popped++;
    all.popped_sum += value;
  }

  wrong = 0;
  check("counter", counter, 3 * all.rounds);
  check("halfword", halfword, all.rounds & 0xffff);
  check("bits set and cleared", tickets_sum, all.rounds);
  check("mutex", guarded, all.rounds);
  check("queue", all.popped, all.pushed);
  check("queue's sum", all.popped_sum, all.pushed_sum);
  check("claims", claims, all.claims);
  check("parcels", all.taken + parcel, all.given);
  check("references", references, 1);
  drop_reference();
  check("destroyed", destroyed, 1);
  return !wrong;
}
