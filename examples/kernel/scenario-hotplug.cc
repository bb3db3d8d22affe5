// SPDX-License-Identifier: MIT
//
// A second CPU comes while threads are in the middle of everything, and goes
// again. Before it comes the locks are put back, after it has gone they are
// taken away; the totals are of the threads' whole life.
//
// Where CPUs were held back at boot (maxcpus=1) one of them comes and goes many
// times. Otherwise the kernel waits for QEMU to plug one in, then to take it
// out, and says on the serial line what it waits for.

#include "cpus.h"
#include "main.h"
#include "paging.h"
#include "qemu-hotplug.h"
#include "scenarios.h"
#include "serial.h"
#include "threads.h"
#include "workload.h"

namespace {

constexpr unsigned second = 1;
constexpr unsigned visits = 10;
// While a CPU is there, and while it is not; and how often it must have changed
// threads at least.
constexpr unsigned long rounds_between = 2000;
constexpr unsigned least_preemptions = 3;

unsigned wrong_modes;

// Lets the threads do that much more.
void let_run(unsigned long rounds) {
  unsigned long end = workload_rounds() + rounds;
  while (workload_rounds() < end)
    yield();
}

// Is all of the code in the mode?
void check_mode(uplock_mode mode) {
  uplock_counts counts = would_change(mode, text_begin, text_end);
  wrong_modes += counts.refused != 0 || counts.already == 0;
}

void visit() {
  check_mode(UPLOCK_UP);
  if (!add_cpu(second))
    panic("the second CPU does not start");
  check_mode(UPLOCK_SMP);
  unsigned end = preemptions_on(second) + least_preemptions;
  let_run(rounds_between);
  while (preemptions_on(second) < end)
    yield();
}

void leave() {
  remove_cpu(second);
  check_mode(UPLOCK_UP);
  let_run(rounds_between);
}

void visit_many_times() {
  for (unsigned i = 0; i < visits; i++) {
    visit();
    leave();
  }
  print("hotplug: a CPU came and went ", visits, " times\n");
}

bool plugged() { return qemu_cpu_present(second); }
bool unplugged() { return qemu_cpu_leaves(second); }

// Meanwhile the threads go on.
void wait_for(const char *what, bool (*has_happened)()) {
  print("hotplug: waiting for ", what, "\n");
  while (!has_happened())
    yield();
}

void visit_of_real_cpu() {
  wait_for("device_add", plugged);
  visit();
  print("hotplug: running on ", running_cpus(), " CPUs\n");
  wait_for("device_del", unplugged);
  leave();
  qemu_cpu_release(second);
  print("hotplug: running on ", running_cpus(), " CPU\n");
}

} // namespace

bool hotplug() {
  if (running_cpus() != 1 || possible_cpus() < 2) {
    print("hotplug: needs two possible CPUs, of which one runs\n");
    return false;
  }
  bool real = qemu_hotplug_init() && !qemu_cpu_present(second);
  wrong_modes = 0;
  unsigned before = preemptions(), before_on_second = preemptions_on(second);

  workload_start(0);
  let_run(rounds_between);
  if (real)
    visit_of_real_cpu();
  else
    visit_many_times();
  bool exact = workload_finish();
  print("hotplug: ", workload_threads, " threads, ", preemptions() - before,
        " preemptions, ", preemptions_on(second) - before_on_second,
        " of them on the second CPU; ", wrong_modes,
        " times in a wrong mode\n");
  return exact && !wrong_modes;
}
