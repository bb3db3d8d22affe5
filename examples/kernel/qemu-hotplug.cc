// SPDX-License-Identifier: MIT
//
// See qemu-hotplug.h.

#include "qemu-hotplug.h"
#include "machine.h"

namespace {

// Of the machine types pc and q35.
constexpr uint16_t bases[] = {0xaf00, 0x0cd8};
uint16_t base;

constexpr uint16_t selector = 0, flags = 4, control = 4;
// The same bits tell, and are written to say that it has been understood.
constexpr uint8_t enabled = 1, inserted = 2, leaves = 4, eject = 8,
                  reserved = 0xf0;

uint8_t flags_of(unsigned cpu) {
  out32(base + selector, cpu);
  return in8(base + flags);
}

} // namespace

bool qemu_hotplug_init() {
  for (uint16_t candidate : bases) {
    base = candidate;
    // Writing 0 is also what turns these registers on (instead of a bitmap
    // that QEMU has for old firmware). The first CPU is there, or nothing is.
    uint8_t first = flags_of(0);
    if ((first & enabled) && !(first & reserved))
      return true;
  }
  return false;
}

bool qemu_cpu_present(unsigned cpu) {
  uint8_t found = flags_of(cpu);
  if (found & inserted)
    out8(base + control, inserted);
  return found & enabled;
}

bool qemu_cpu_leaves(unsigned cpu) {
  uint8_t found = flags_of(cpu);
  if (found & leaves)
    out8(base + control, leaves);
  return found & leaves;
}

void qemu_cpu_release(unsigned cpu) {
  out32(base + selector, cpu);
  out8(base + control, eject);
}
