// SPDX-License-Identifier: MIT
//
// What main.cc does with uplock, for the scenarios.

#ifndef KERNEL_MAIN_H
#define KERNEL_MAIN_H

#include "cpus.h"
#include "uplock.h"

extern "C" const int32_t __smp_locks[], __smp_locks_end[];

// Brings the kernel's code to the mode.
uplock_counts ready_for(uplock_mode mode);
// What that would do: nothing is written, what would be counts as refused.
uplock_counts would_change(uplock_mode mode, const void *begin,
                           const void *end);

// CPUs come and go, one at a time.
bool add_cpu(unsigned index, unsigned patience = a_second);
void remove_cpu(unsigned index);
unsigned running_cpus();

#endif
