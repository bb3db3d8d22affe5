// SPDX-License-Identifier: MIT
//
// See scenarios.h.

#include "scenarios.h"
#include "boot-info.h"
#include "cpus.h"
#include "main.h"
#include "paging.h"
#include "serial.h"
#include "threads.h"
#include "workload.h"

static constexpr struct {
  const char *name;
  bool (*run)();
} scenarios[] = {
    {"hammer", hammer},     // threads share everything, on all CPUs that run
    {"hotplug", hotplug},   // CPUs come and go in the middle of it
    {"late", late},         // a CPU that nobody waits for any more stays out
    {"step", step},         // the mode changes at every instruction of a thread
    {"halfway", halfway},   // the code runs while it is being switched
    {"fault", fault},       // page faults at patched instructions
    {"protect", protect},   // text cannot be written, data not executed
    {"init", init},         // a later switch leaves .init.text's memory alone
    {"unlocked", unlocked}, // control: two CPUs without locks lose updates
    {"filler", filler},     // control: a NOP in the place of LOCK
};

static bool all_good;
static unsigned ran;

static bool is_setting(const char *word) { // such as maxcpus=1
  while (*word && *word != '=')
    word++;
  return *word;
}

static void run_scenario(const char *name) {
  if (is_setting(name))
    return;
  bool good = false;
  for (auto &scenario : scenarios)
    if (equal(scenario.name, name))
      good = scenario.run();
  print(name, ": ", good ? "good\n" : "BAD\n");
  all_good = all_good && good;
  ran++;
}

void init_scenarios() { init_code(); }

bool run_scenarios() {
  all_good = true;
  for_each_word(run_scenario);
  if (!ran)
    run_scenario("hammer");
  return all_good;
}

// Until they have done enough, and each CPU has been in the middle of enough.
static void let_run_everywhere() {
  constexpr unsigned long least_rounds = 20000;
  constexpr unsigned least_preemptions = 50;
  unsigned before[max_cpus];
  for (unsigned i = 0; i < running_cpus(); i++)
    before[i] = preemptions_on(i);
  for (unsigned i = 0; i < running_cpus(); i++)
    while (preemptions_on(i) - before[i] < least_preemptions)
      yield();
  while (workload_rounds() < least_rounds)
    yield();
  print("hammer: ", workload_threads, " threads; preemptions on each CPU:");
  for (unsigned i = 0; i < running_cpus(); i++)
    print(" ", preemptions_on(i) - before[i]);
  print("\n");
}

bool hammer() {
  workload_start(0);
  let_run_everywhere();
  bool good = workload_finish();

  // Was it in one mode all the time, and all of it?
  bool up = running_cpus() == 1;
  uplock_counts left =
      would_change(up ? UPLOCK_UP : UPLOCK_SMP, text_begin, text_end);
  print("hammer: ", left.already, up ? " sites unlocked, " : " sites locked, ",
        left.refused, " otherwise\n");
  return good && left.refused == 0;
}
