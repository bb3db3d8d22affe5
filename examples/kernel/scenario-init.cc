// SPDX-License-Identifier: MIT
//
// Code that is there while the kernel boots and not afterwards. Its sites are
// in the table for ever, and what they point at has become data. So a switch is
// given bounds (release_init_memory in main.cc), and leaves alone what lies
// outside of them.
//
// A site is left alone as well if its byte is not the expected one; but data
// may look like anything. Here it looks like locks that have been taken away:
// with the bounds of the boot some of it would be written to.

#include "main.h"
#include "paging.h"
#include "scenarios.h"
#include "serial.h"
#include "sites.h"

#include <atomic>

static std::atomic<unsigned> devices, drivers;

[[gnu::section(".init.text"), gnu::noinline]] void init_code() {
  devices++;
  devices.fetch_or(0x10);
  drivers.fetch_add(2);
  drivers.fetch_sub(1);
  devices--;
}

// What the new owner of the memory keeps there.
static uint8_t new_contents(size_t offset) {
  return offset % 2 ? 0 : ds_prefix;
}

bool init() {
  if (running_cpus() != 1) {
    print("init: needs to be alone\n");
    return false;
  }
  auto memory = reinterpret_cast<volatile uint8_t *>(init_begin);
  auto size = static_cast<size_t>(init_end - init_begin);
  for (size_t i = 0; i < size; i++)
    memory[i] = new_contents(i);

  uplock_counts smp = ready_for(UPLOCK_SMP);
  size_t would_be_written =
      would_change(UPLOCK_SMP, init_begin, text_end).refused;
  uplock_counts up = ready_for(UPLOCK_UP);

  size_t written = 0;
  for (size_t i = 0; i < size; i++)
    written += memory[i] != new_contents(i);
  unsigned sites = count_sites(reinterpret_cast<uintptr_t>(init_begin),
                               reinterpret_cast<uintptr_t>(init_end));
  print("init: ", sites,
        " sites in freed memory; left out of the switches: ", smp.mismatched,
        ", ", up.mismatched, "; bytes written: ", written,
        "; with the old bounds: ", would_be_written, "\n");
  return drivers == 1 && sites && smp.mismatched == sites &&
         up.mismatched == sites && !written && would_be_written;
}
