// SPDX-License-Identifier: MIT
//
// Single instructions that C++ has no words for.

#ifndef KERNEL_MACHINE_H
#define KERNEL_MACHINE_H

#include <cstddef>
#include <cstdint>

constexpr uint32_t apic_base_msr = 0x1b;

inline void out8(uint16_t port, uint8_t value) {
  asm volatile("outb %0, %1" : : "a"(value), "Nd"(port));
}

inline void out32(uint16_t port, uint32_t value) {
  asm volatile("outl %0, %1" : : "a"(value), "Nd"(port));
}

inline uint8_t in8(uint16_t port) {
  uint8_t value;
  asm volatile("inb %1, %0" : "=a"(value) : "Nd"(port));
  return value;
}

inline uint32_t in32(uint16_t port) {
  uint32_t value;
  asm volatile("inl %1, %0" : "=a"(value) : "Nd"(port));
  return value;
}

inline uint64_t read_msr(uint32_t msr) {
  uint32_t low, high;
  asm volatile("rdmsr" : "=a"(low), "=d"(high) : "c"(msr));
  return static_cast<uint64_t>(high) << 32 | low;
}

inline void write_page_tables(uintptr_t tables) {
  asm volatile("mov %0, %%cr3" : : "r"(tables) : "memory");
}

inline void invalidate_page(uintptr_t address) {
  asm volatile("invlpg (%0)" : : "r"(address) : "memory");
}

// The address that a page fault was about.
inline uintptr_t fault_address() {
  uintptr_t address;
  asm volatile("mov %%cr2, %0" : "=r"(address));
  return address;
}

inline void interrupts_on() { asm volatile("sti" : : : "memory"); }
inline void interrupts_off() { asm volatile("cli" : : : "memory"); }
// Until the next interrupt.
inline void wait_for_interrupt() { asm volatile("sti; hlt" : : : "memory"); }
inline void pause() { asm volatile("pause" : : : "memory"); }

[[noreturn]] inline void halt() {
  for (;;)
    asm volatile("cli; hlt" : : : "memory");
}

// A serialising instruction (Intel SDM vol. 3, 9.3): what was fetched before is
// forgotten, code that has been written meanwhile is fetched anew.
inline void serialize() {
  uint32_t leaf = 0, ignored;
  asm volatile("cpuid"
               : "+a"(leaf), "=b"(ignored), "=c"(ignored), "=d"(ignored)
               :
               : "memory");
}

// About a microsecond each: an access to a port that nobody uses.
inline void delay(unsigned microseconds) {
  while (microseconds--)
    out8(0x80, 0);
}

#endif
