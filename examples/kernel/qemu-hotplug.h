// SPDX-License-Identifier: MIT
//
// CPUs that QEMU's device_add and device_del plug in and out.
//
// A kernel with an ACPI interpreter is told by an interrupt and by methods in
// ACPI's tables, which read and write the registers below. This one has none
// and asks the registers itself: QEMU, docs/specs/acpi_cpu_hotplug.rst.

#ifndef KERNEL_QEMU_HOTPLUG_H
#define KERNEL_QEMU_HOTPLUG_H

// False if the machine has none.
bool qemu_hotplug_init();

// CPUs are numbered as in ACPI's list. To be asked from time to time.
bool qemu_cpu_present(unsigned cpu);
bool qemu_cpu_leaves(unsigned cpu); // somebody wants to take it out

void qemu_cpu_release(unsigned cpu); // it is not used any more, and disappears

#endif
