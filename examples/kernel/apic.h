// SPDX-License-Identifier: MIT
//
// The local APIC of the CPU that calls: its number, its timer, and the
// interrupts that start another CPU.

#ifndef KERNEL_APIC_H
#define KERNEL_APIC_H

#include <cstdint>

void apic_init(); // on each CPU
uint8_t apic_id();
void apic_end_of_interrupt();

void apic_start_timer();

// INIT: the CPU stops where it is and waits for a startup.
void apic_send_init(uint8_t id);
// The CPU begins at page (below 1 MB) in real mode.
void apic_send_startup(uint8_t id, uintptr_t page);

#endif
