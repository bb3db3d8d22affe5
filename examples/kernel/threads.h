// SPDX-License-Identifier: MIT
//
// Threads, preempted by the timer wherever they are, and taken up again by
// whichever CPU is free.

#ifndef KERNEL_THREADS_H
#define KERNEL_THREADS_H

#include "interrupts.h"

#include <cstdint>

constexpr unsigned max_threads = 16;

struct Thread {
  enum State { unused, ready, held, ended } state;
  Frame *frame; // where it goes on; valid while it does not run
  Thread *next; // of those that wait for a CPU
  void (*body)(unsigned argument);
  unsigned argument;
  bool on_first_cpu; // it may run on the CPU that booted only
};

// Makes what runs on the first CPU a thread, the first one, which stays there.
void threads_init();
// Makes what runs on another CPU the thread that runs while there is no other.
void threads_init_cpu(unsigned cpu);

// By the first thread: starts another one, with these flags in its flags
// register, and waits until all have ended.
Thread *start_thread(void (*body)(unsigned), unsigned argument,
                     uintptr_t flags = interrupt_flag);
void join_threads();

void yield();

// In interrupts and exceptions: continue with the next thread, or with the same
// if there is no other.
Frame *switch_threads(Frame *frame);
Frame *preempt(Frame *frame);     // and count it
Frame *hold_thread(Frame *frame); // it does not run until it is released
void release_thread(Thread *thread);
bool is_held(const Thread *thread);

// How often a thread was preempted for another one.
unsigned preemptions();
unsigned preemptions_on(unsigned cpu);

#endif
