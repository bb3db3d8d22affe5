// SPDX-License-Identifier: MIT
//
// CPUs: which one this is, starting another, and stopping it.

#ifndef KERNEL_CPUS_H
#define KERNEL_CPUS_H

#include "acpi.h"

#include <atomic>
#include <cstdint>

struct Thread;

struct Cpu {
  uint8_t apic_id;
  unsigned index;
  bool present; // when the kernel booted
  Thread *current;
  bool switching; // it holds the threads' lock and is about to change stacks
  std::atomic<bool> running, admitted, parking, parked;
};

// From ACPI's list; the CPU that calls is the first one.
void cpus_init(const CpuEntry *entries, unsigned count);
unsigned possible_cpus();
Cpu &cpu_at(unsigned index);
Cpu &this_cpu(); // with interrupts off, or it may be another one by now

// By the first CPU: starts another one at body and returns when it runs. False
// if it does not answer within so many microseconds: then it is stopped,
// however late it comes, and has run no locked instruction. Whatever must be
// true before its first instruction must be true now.
constexpr unsigned a_second = 1000000;
bool start_cpu(unsigned index, void (*body)(Cpu &),
               unsigned patience = a_second);
// Lets it give back its thread and stop: it does not execute anything when this
// returns, and can be started again, or taken out.
void stop_cpu(unsigned index);

// What a CPU runs that takes part in running threads.
void run_threads(Cpu &cpu);

#endif
