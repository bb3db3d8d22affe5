// SPDX-License-Identifier: MIT
//
// See apic.h: Intel SDM vol. 3, 11 (APIC), 9.4.4 (the startup protocol).
//
// In xAPIC mode, with registers in memory: every processor and emulator has it
// (QEMU's own emulation has x2APIC only since 9.0), and 255 CPUs are enough.

#include "apic.h"
#include "interrupts.h"
#include "machine.h"
#include "serial.h"

namespace {

constexpr uint64_t x2apic_enabled = 1 << 10, globally_enabled = 1 << 11;
constexpr uintptr_t registers = 0xfee00000;

enum Register : uintptr_t {
  id = 0x20,
  task_priority = 0x80,
  end_of_interrupt = 0xb0,
  spurious = 0xf0,
  command_low = 0x300,
  command_high = 0x310,
  timer = 0x320,
  timer_initial = 0x380,
  timer_divide = 0x3e0,
};

constexpr uint32_t software_enabled = 1 << 8;
constexpr uint32_t periodic = 1 << 17;
constexpr uint32_t divide_by_1 = 0xb;
// 100 us where the APIC counts at 1 GHz, as in QEMU and KVM. The period need
// not be exact, so nothing is calibrated.
constexpr uint32_t timer_period = 100000;

constexpr uint32_t init = 5 << 8, startup = 6 << 8, level_assert = 1 << 14;
constexpr uint32_t delivery_pending = 1 << 12;

constexpr uint16_t pic_masks[] = {0x21, 0xa1};

volatile uint32_t &reg(Register which) {
  return *reinterpret_cast<volatile uint32_t *>(registers + which);
}

void send(uint8_t target, uint32_t command) {
  reg(command_high) = static_cast<uint32_t>(target) << 24;
  reg(command_low) = command;
  while (reg(command_low) & delivery_pending)
    pause();
}

} // namespace

void apic_init() {
  uint64_t base = read_msr(apic_base_msr);
  if (base & x2apic_enabled)
    panic("the firmware has turned x2APIC on");
  if (!(base & globally_enabled))
    panic("there is no local APIC");
  // Nobody here listens to the old interrupt controllers.
  for (uint16_t port : pic_masks)
    out8(port, 0xff);
  reg(task_priority) = 0;
  reg(spurious) = software_enabled | spurious_vector;
}

uint8_t apic_id() { return static_cast<uint8_t>(reg(id) >> 24); }

void apic_end_of_interrupt() { reg(end_of_interrupt) = 0; }

void apic_start_timer() {
  reg(timer_divide) = divide_by_1;
  reg(timer) = periodic | timer_vector;
  reg(timer_initial) = timer_period;
}

void apic_send_init(uint8_t target) {
  send(target, init | level_assert);
  delay(10000);
}

void apic_send_startup(uint8_t target, uintptr_t page) {
  // Twice, as the protocol wants it; the second one is ignored if the first one
  // has been taken.
  for (int i = 0; i < 2; i++) {
    send(target, startup | level_assert | static_cast<uint32_t>(page >> 12));
    delay(200);
  }
}
