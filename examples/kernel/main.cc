// SPDX-License-Identifier: MIT
//
// A kernel that runs without LOCK prefixes while it has one CPU.
//
// Four places matter to uplock, all in this file: what may be patched (text),
// the switch to UP before the first thread, the switch to SMP before another
// CPU is started, and back when it has stopped. The rest is a small kernel of
// the usual kind, which a reader has already: a loader's way in (boot.S,
// boot-info.cc), page tables (paging.cc), interrupts, an APIC, threads.
//
// Note what decides: not how many CPUs there could be, but how many this kernel
// has started. Nobody else starts any.

#include "main.h"
#include "acpi.h"
#include "apic.h"
#include "boot-info.h"
#include "cpus.h"
#include "interrupts.h"
#include "machine.h"
#include "paging.h"
#include "scenarios.h"
#include "serial.h"
#include "threads.h"

// The text is read-only. Its bytes are written through a second mapping.
static int write_byte(void *, uint8_t *byte, uint8_t value) {
  *in_text_window(byte) = value;
  return 1;
}

// The code that the table may speak of. While the kernel boots that includes
// .init.text; release_init_memory moves the beginning.
static uplock_text text = {init_begin, text_end, write_byte, nullptr};

uplock_counts ready_for(uplock_mode mode) {
  open_text_window();
  uplock_counts counts =
      uplock_apply(__smp_locks, __smp_locks_end, &text, mode);
  close_text_window();
  // This CPU may have fetched code that has just changed (at another address:
  // Intel SDM vol. 3, 9.1.3). Another one forgets all when it is started.
  serialize();
  return counts;
}

uplock_counts would_change(uplock_mode mode, const void *begin,
                           const void *end) {
  uplock_text look = {begin, end, [](void *, uint8_t *, uint8_t) { return 0; },
                      nullptr};
  return uplock_apply(__smp_locks, __smp_locks_end, &look, mode);
}

static unsigned running = 1;
unsigned running_cpus() { return running; }

bool add_cpu(unsigned index, unsigned patience) {
  if (running == 1)
    ready_for(UPLOCK_SMP); // before the startup IPI, that start_cpu sends
  if (!start_cpu(index, run_threads, patience)) {
    if (running == 1)
      ready_for(UPLOCK_UP); // it is stopped, and does not come later
    return false;
  }
  running++;
  return true;
}

void remove_cpu(unsigned index) {
  stop_cpu(index);
  if (--running == 1)
    ready_for(UPLOCK_UP); // when no other CPU executes anything
}

// From here on this memory is anybody's: no later switch may write to it.
static void release_init_memory() {
  text.begin = text_begin;
  release_init();
}

static void print_counts(const char *mode, const uplock_counts &counts) {
  print("uplock: ", mode, ", ", counts.sites, " sites, ", counts.changed,
        " changed, ", counts.mismatched, " mismatched\n");
}

extern "C" void kernel_main(uint32_t magic, uint32_t info) {
  serial_init();
  boot_info_init(magic, info);
  CpuEntry entries[max_cpus];
  unsigned possible = acpi_possible_cpus(boot_rsdp(), entries);
  paging_init();
  interrupts_init();
  interrupts_init_cpu();
  apic_init();
  cpus_init(entries, possible);

  unsigned present = 0;
  for (unsigned i = 0; i < possible; i++)
    present += entries[i].enabled;
  bool one = present == 1 || has_word("maxcpus=1");
  print("booted by ", boot_loader(), ": ", present, " of ", possible,
        " possible CPUs present", one && present > 1 ? ", one used\n" : "\n");

  // Before the first thread. The code comes ready for many CPUs, so that with
  // more than one nothing is changed.
  if (one)
    print_counts("UP", ready_for(UPLOCK_UP));
  else
    print_counts("SMP", ready_for(UPLOCK_SMP));

  threads_init();
  apic_start_timer();
  interrupts_on();
  init_scenarios();
  release_init_memory();

  if (!one) {
    for (unsigned i = 1; i < possible; i++)
      if (cpu_at(i).present && !add_cpu(i))
        panic("CPU ", i, " does not start");
    print("started ", running - 1, " more\n");
  }

  finish(run_scenarios());
}
