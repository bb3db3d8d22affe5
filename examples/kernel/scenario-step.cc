// SPDX-License-Identifier: MIT
//
// The mode changes between any two instructions of a thread: it runs with the
// trap flag set, and at each trap all locks are put back or taken away, in
// turn. No thread can be in the middle of more than that.
//
// Other threads run the same code meanwhile, preempted by the timer as ever.

#include "main.h"
#include "paging.h"
#include "scenarios.h"
#include "serial.h"
#include "sites.h"
#include "threads.h"
#include "workload.h"

namespace {

constexpr unsigned rounds = 20;
unsigned switches, at_sites, inside_sites, changed;

Frame *switch_over(Frame *frame) {
  switches++;
  at_sites += is_site(frame->ip);
  inside_sites += is_inside_site(frame->ip) && !is_site(frame->ip);
  changed += ready_for(switches % 2 ? UPLOCK_SMP : UPLOCK_UP).changed;
  return frame;
}

void stepped_thread(unsigned) {
  for (unsigned i = 0; i < rounds; i++)
    workload_round(workload_threads);
}

} // namespace

bool step() {
  if (running_cpus() != 1) {
    print("step: needs to be alone\n");
    return false;
  }
  switches = at_sites = inside_sites = changed = 0;
  handle_debug(switch_over);
  workload_start(rounds);
  start_thread(stepped_thread, 0, interrupt_flag | trap_flag);
  bool exact = workload_finish();
  handle_debug(nullptr);
  ready_for(UPLOCK_UP);

  print("step: ", switches, " switches of ", switches ? changed / switches : 0,
        " sites, ", at_sites, " in front of one, ", inside_sites,
        " inside of one\n");
  return exact && at_sites && !inside_sites;
}
