// SPDX-License-Identifier: MIT
//
// Interrupts and exceptions. Each may end in another thread than it began in.

#ifndef KERNEL_INTERRUPTS_H
#define KERNEL_INTERRUPTS_H

#include <cstdint>

// Exceptions that are handled (Intel SDM vol. 3, 6.15), and our own vectors.
enum Vector : uintptr_t {
  debug_vector = 1,
  page_fault_vector = 14,
  timer_vector = 0x40,
  yield_vector = 0x41,
  spurious_vector = 0xff,
};

// What an interrupt leaves on the stack: what vectors.S pushes, below what
// the CPU pushes.
struct Frame {
#ifdef __x86_64__
  uintptr_t general[15];
#else
  uintptr_t general[8];
#endif
  uintptr_t vector, error;
  uintptr_t ip, cs, flags;
#ifdef __x86_64__
  uintptr_t sp, ss;
#endif
};

constexpr uintptr_t trap_flag = 1 << 8, interrupt_flag = 1 << 9;

void interrupts_init();     // once
void interrupts_init_cpu(); // on each CPU

// Called with interrupts off. The result is the frame to continue with, the
// same or another thread's.
using Handler = Frame *(*)(Frame *);

// Takes over an exception; null: it is a panic again.
void handle_debug(Handler handler);
void handle_page_fault(Handler handler);

#endif
