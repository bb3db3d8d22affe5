// SPDX-License-Identifier: MIT
//
// A CPU is started and given up before it has answered. By then the locks are
// taken away again, so it must not come: the threads go on without it. Then it
// is started once more, and waited for.

#include "main.h"
#include "scenarios.h"
#include "serial.h"
#include "threads.h"
#include "workload.h"

bool late() {
  constexpr unsigned second = 1;
  constexpr unsigned long least_rounds = 20000;
  if (running_cpus() != 1 || possible_cpus() < 2) {
    print("late: needs two possible CPUs, of which one runs\n");
    return false;
  }
  workload_start(0);
  unsigned before = preemptions_on(second);
  bool answered = add_cpu(second, 0);
  while (workload_rounds() < least_rounds)
    yield();
  unsigned uninvited = preemptions_on(second) - before;
  print("late: ", uninvited, " preemptions on a CPU that was given up\n");

  bool starts = add_cpu(second);
  if (starts)
    remove_cpu(second);
  return workload_finish() && !answered && !uninvited && starts;
}
