// SPDX-License-Identifier: MIT
//
// A switch is halfway done for some time. Here the very code that is being
// switched runs between any two of its stores, in both directions, beside other
// threads: an image of which one half is locked is as good as any.

#include "main.h"
#include "paging.h"
#include "scenarios.h"
#include "serial.h"
#include "workload.h"

namespace {

constexpr unsigned switches = 10; // an even number

int write_and_run(void *, uint8_t *byte, uint8_t value) {
  *in_text_window(byte) = value;
  workload_round(workload_threads);
  return 1;
}

} // namespace

bool halfway() {
  if (running_cpus() != 1) {
    print("halfway: needs to be alone\n");
    return false;
  }
  uplock_text text = {text_begin, text_end, write_and_run, nullptr};
  size_t stores = 0;
  workload_start(0);
  open_text_window();
  for (unsigned i = 0; i < switches; i++)
    stores += uplock_apply(__smp_locks, __smp_locks_end, &text,
                           i % 2 ? UPLOCK_UP : UPLOCK_SMP)
                  .changed;
  close_text_window();
  bool exact = workload_finish();
  print("halfway: ", switches, " switches, a round after each of ", stores,
        " stores\n");
  return exact && stores;
}
