// SPDX-License-Identifier: MIT
//
// A control: does any of this tell locked code from unlocked code? Two CPUs
// count at the same time, first as they should, then with the locks left away.
// The second count must come out wrong.
//
// Nothing else may run meanwhile, the kernel's own locks being useless: both
// CPUs have their interrupts off, and the second one goes back to sleep.

#include "cpus.h"
#include "machine.h"
#include "main.h"
#include "scenarios.h"
#include "serial.h"

#include <atomic>

namespace {

constexpr unsigned second = 1;
constexpr unsigned least = 1000000; // additions of each CPU
constexpr unsigned attempts = 20;

std::atomic<unsigned> total;
std::atomic<unsigned> added[2]; // by each
std::atomic<bool> finished;

// Until both have done enough, so that at least one counts all the time while
// the other does: where QEMU emulates CPUs, one may be left waiting for long.
void add(unsigned mine, unsigned other) {
  constexpr unsigned portion = 1000;
  unsigned done = 0;
  while (done < least || added[other].load(std::memory_order_relaxed) < least) {
    for (unsigned i = 0; i < portion; i++)
      total.fetch_add(1, std::memory_order_relaxed);
    done += portion;
    added[mine].store(done, std::memory_order_release);
  }
}

void add_on_second(Cpu &) {
  add(1, 0);
  finished.store(true, std::memory_order_release);
}

struct Result {
  unsigned added, lost;
};

Result count_with(uplock_mode mode) {
  ready_for(mode);
  interrupts_off();
  total = 0;
  added[0].store(0, std::memory_order_relaxed);
  added[1].store(0, std::memory_order_relaxed);
  finished.store(false, std::memory_order_relaxed);
  if (!start_cpu(second, add_on_second))
    panic("the second CPU does not start");
  add(0, 1);
  while (!finished.load(std::memory_order_acquire))
    pause();
  interrupts_on();
  unsigned sum = added[0] + added[1];
  return {sum, sum - total};
}

} // namespace

bool unlocked() {
  if (running_cpus() != 1 || possible_cpus() < 2) {
    print("unlocked: needs two possible CPUs, of which one runs\n");
    return false;
  }
  Result locked = count_with(UPLOCK_SMP);
  Result without{};
  for (unsigned i = 0; i < attempts && !without.lost; i++)
    without = count_with(UPLOCK_UP);
  print("unlocked: with locks, of ", locked.added, " additions ", locked.lost,
        " lost; without, of ", without.added, ", ", without.lost, "\n");
  return locked.lost == 0 && without.lost > 0;
}
