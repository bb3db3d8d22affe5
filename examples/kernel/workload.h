// SPDX-License-Identifier: MIT
//
// Threads that share everything that atomics are used for, and what must come
// out of it.

#ifndef KERNEL_WORKLOAD_H
#define KERNEL_WORKLOAD_H

#include <cstdint>

constexpr unsigned workload_threads = 8;

// Starts that many threads; each does so many rounds, or, with 0, goes on until
// workload_finish. flags: as for start_thread, of the first of them.
void workload_start(unsigned rounds);
unsigned long workload_rounds(); // so far, of all threads

// Waits for the threads and prints the totals. Is each exactly what it must be?
bool workload_finish();

// A round of the thread that is numbered so: for a thread of somebody else's,
// between start and finish. Numbers from workload_threads on are free.
constexpr unsigned workload_guests = 1;
void workload_round(unsigned thread);

#endif
