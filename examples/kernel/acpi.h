// SPDX-License-Identifier: MIT
//
// Which CPUs there are and which there could be, from ACPI's MADT.

#ifndef KERNEL_ACPI_H
#define KERNEL_ACPI_H

#include <cstdint>

constexpr unsigned max_cpus = 16;

// Of a CPU that can be started now, or after it has been plugged in.
struct CpuEntry {
  uint8_t apic_id;
  bool enabled; // it is there now
};

// Fills entries and returns their number: all possible CPUs. Before paging.cc
// takes over: the BIOS's data is in page 0.
unsigned acpi_possible_cpus(uint32_t rsdp, CpuEntry (&entries)[max_cpus]);

#endif
