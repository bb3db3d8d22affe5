// SPDX-License-Identifier: MIT
//
// See cpus.h.

#include "cpus.h"
#include "apic.h"
#include "interrupts.h"
#include "machine.h"
#include "serial.h"
#include "threads.h"

extern "C" {
extern const uint8_t trampoline[], trampoline_end[];
extern uintptr_t start_stack;
extern void (*start_entry)(uint32_t, uint32_t);
}

namespace {

// Below 1 MB, and free: see boot.S, nothing of the kernel lies there.
constexpr uintptr_t trampoline_page = 0x8000;
constexpr unsigned stack_size = 16384;

Cpu cpus[max_cpus];
unsigned count;
alignas(16) char stacks[max_cpus][stack_size];
void (*next_body)(Cpu &);
unsigned next_index;

// The first C++ that another CPU runs.
void enter(uint32_t, uint32_t) {
  Cpu &cpu = cpus[next_index];
  void (*body)(Cpu &) = next_body;
  interrupts_init_cpu();
  apic_init();
  cpu.running.store(true, std::memory_order_release);
  // Who started it may have given it up. This loop has nothing to patch.
  while (!cpu.admitted.load(std::memory_order_acquire))
    pause();
  body(cpu);
  halt();
}

} // namespace

void cpus_init(const CpuEntry *entries, unsigned number) {
  count = 1;
  for (unsigned i = 0; i < number; i++) {
    if (entries[i].apic_id != apic_id() && count == max_cpus)
      continue; // the place that is left is this CPU's
    Cpu &cpu = entries[i].apic_id == apic_id() ? cpus[0] : cpus[count++];
    cpu.apic_id = entries[i].apic_id;
    cpu.present = entries[i].enabled;
    cpu.index = static_cast<unsigned>(&cpu - cpus);
  }
}

unsigned possible_cpus() { return count; }
Cpu &cpu_at(unsigned index) { return cpus[index]; }

Cpu &this_cpu() {
  uint8_t id = apic_id();
  for (unsigned i = 0; i < count; i++)
    if (cpus[i].apic_id == id)
      return cpus[i];
  panic("a CPU runs that nobody has started: ", unsigned{id});
}

bool start_cpu(unsigned index, void (*body)(Cpu &), unsigned patience) {
  Cpu &cpu = cpus[index];
  cpu.running.store(false, std::memory_order_relaxed);
  cpu.admitted.store(false, std::memory_order_relaxed);
  cpu.parking.store(false, std::memory_order_relaxed);
  cpu.parked.store(false, std::memory_order_relaxed);
  cpu.switching = false;

  auto page = reinterpret_cast<volatile uint8_t *>(trampoline_page);
  for (const uint8_t *byte = trampoline; byte < trampoline_end; byte++)
    *page++ = *byte;
  start_stack = reinterpret_cast<uintptr_t>(stacks[index] + stack_size);
  start_entry = enter;
  next_body = body;
  next_index = index;

  apic_send_init(cpu.apic_id);
  apic_send_startup(cpu.apic_id, trampoline_page);
  for (unsigned waited = 0; waited < patience; waited++) {
    if (cpu.running.load(std::memory_order_acquire)) {
      cpu.admitted.store(true, std::memory_order_release);
      return true;
    }
    delay(1);
  }
  // It may be on its way, and must not come when nobody is ready for it.
  apic_send_init(cpu.apic_id);
  return false;
}

void stop_cpu(unsigned index) {
  Cpu &cpu = cpus[index];
  cpu.parking.store(true, std::memory_order_release);
  while (!cpu.parked.load(std::memory_order_acquire))
    yield();
  apic_send_init(cpu.apic_id);
}

void run_threads(Cpu &cpu) {
  threads_init_cpu(cpu.index);
  apic_start_timer();
  while (!cpu.parking.load(std::memory_order_acquire))
    wait_for_interrupt();
  // This is the thread that runs when there is no other, and there is none for
  // a CPU that is parking.
  interrupts_off();
  cpu.parked.store(true, std::memory_order_release);
}
