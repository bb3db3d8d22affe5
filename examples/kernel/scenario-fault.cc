// SPDX-License-Identifier: MIT
//
// A page fault at a patched instruction: the handler finds the address of the
// instruction's first byte, as ever, in both modes. It maps the page, and the
// instruction is executed once.

#include "interrupts.h"
#include "main.h"
#include "machine.h"
#include "paging.h"
#include "scenarios.h"
#include "serial.h"
#include "sites.h"

#include <atomic>

namespace {

uintptr_t fault_ip;
unsigned faults;

Frame *map_page(Frame *frame) {
  if (!map_lazily(fault_address()))
    panic("page fault at ", Hex{frame->ip}, ", address ", Hex{fault_address()});
  fault_ip = frame->ip;
  faults++;
  return frame;
}

[[gnu::noinline]] void touch(std::atomic<unsigned> &count) { count++; }

bool touch_unmapped(const char *mode, uint8_t prefix) {
  auto &count = *reinterpret_cast<std::atomic<unsigned> *>(lazy_page());
  unsigned before = count; // maps it if nothing else has
  unmap_lazy_page();

  faults = 0;
  touch(count);
  unsigned after = count;
  bool at_first_byte = is_site(fault_ip);
  uint8_t byte = *reinterpret_cast<const uint8_t *>(fault_ip);
  print("fault: ", mode, ": ", faults, " fault at ", Hex{fault_ip}, ", ",
        at_first_byte ? "the first byte of a site, " : "NOT AT A SITE, ",
        Hex{byte}, "; added ", after - before, "\n");
  return faults == 1 && at_first_byte && byte == prefix && after == before + 1;
}

} // namespace

bool fault() {
  if (running_cpus() != 1) {
    print("fault: needs to be alone\n");
    return false;
  }
  handle_page_fault(map_page);
  ready_for(UPLOCK_SMP);
  bool smp = touch_unmapped("SMP", lock_prefix);
  ready_for(UPLOCK_UP);
  bool up = touch_unmapped("UP", ds_prefix);
  handle_page_fault(nullptr);
  return smp && up;
}
