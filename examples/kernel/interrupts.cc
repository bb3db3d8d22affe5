// SPDX-License-Identifier: MIT
//
// See interrupts.h: the interrupt descriptor table (Intel SDM vol.
// 3, 6.10, 6.14) and who gets what.

#include "interrupts.h"
#include "apic.h"
#include "machine.h"
#include "segments.h"
#include "serial.h"
#include "threads.h"

namespace {

constexpr unsigned vectors = 256;
// vectors.S has one stub for each, this far from each other.
constexpr uintptr_t stub_size = 16;
extern "C" char interrupt_stubs[];

constexpr uint8_t interrupt_gate = 0x8e;

struct [[gnu::packed]] Gate {
  uint16_t offset_low, selector;
  uint8_t stack, type;
  uint16_t offset_middle;
#ifdef __x86_64__
  uint32_t offset_high, reserved;
#endif
};
Gate gates[vectors];

struct [[gnu::packed]] {
  uint16_t limit;
  uintptr_t base;
} const gates_pointer = {sizeof gates - 1, reinterpret_cast<uintptr_t>(gates)};

Handler debug_handler, page_fault_handler;

} // namespace

void interrupts_init() {
  for (unsigned i = 0; i < vectors; i++) {
    auto stub = reinterpret_cast<uintptr_t>(interrupt_stubs) + i * stub_size;
    gates[i].offset_low = static_cast<uint16_t>(stub);
    gates[i].offset_middle = static_cast<uint16_t>(stub >> 16);
    gates[i].selector = CODE;
    gates[i].type = interrupt_gate;
  }
}

void interrupts_init_cpu() { asm volatile("lidt %0" : : "m"(gates_pointer)); }

void handle_debug(Handler handler) { debug_handler = handler; }
void handle_page_fault(Handler handler) { page_fault_handler = handler; }

extern "C" Frame *interrupt(Frame *frame) {
  switch (frame->vector) {
  case timer_vector:
    apic_end_of_interrupt();
    return preempt(frame);
  case yield_vector:
    return switch_threads(frame);
  case spurious_vector:
    return frame;
  case debug_vector:
    if (debug_handler)
      return debug_handler(frame);
    break;
  case page_fault_vector:
    if (page_fault_handler)
      return page_fault_handler(frame);
    break;
  }
  panic("exception ", frame->vector, " (", Hex{frame->error}, ") at ",
        Hex{frame->ip}, ", address ", Hex{fault_address()});
}
