/* SPDX-License-Identifier: MIT
 *
 * uplock for Linux processes: what the library did at program start, and how to
 * change it. Link with the flags of `pkg-config --libs uplock`; nothing has to
 * be called.
 *
 * At start, before any constructor, the program is brought to UP mode when the
 * machine can have one CPU only: /sys/devices/system/cpu/possible is "0".
 * Possible, not online: a CPU may be plugged in later; and not the affinity:
 * that can change. The environment decides otherwise:
 *
 *   UPLOCK=auto  the default
 *   UPLOCK=smp   leave everything locked
 *   UPLOCK=up    run without locks. For a process that its owner keeps on one
 *                CPU (taskset) and that shares no memory with other processes
 *   UPLOCK_LOG=1 print one line to standard error
 *
 * Both are ignored in setuid programs and the like (AT_SECURE).
 */
#ifndef UPLOCK_PROCESS_H
#define UPLOCK_PROCESS_H

#include "uplock.h"

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

struct uplock_status {
  enum uplock_mode mode;       /* UPLOCK_UP: instructions may be unlocked */
  const char *reason;          /* why, in words */
  struct uplock_counts counts; /* of the last walk over the table; all zero if
                                  there was none: a program that starts in SMP
                                  mode does not look at its table unless
                                  UPLOCK_LOG is set */
  uint64_t nanoseconds;        /* that it took */
};

/* What was done so far. Any thread, not while a switch is under way. */
struct uplock_status uplock_process_status(void);

/* Brings the program to the mode, and returns what was done.
 *
 * To SMP: before the process is let onto a second CPU. Every CPU that runs one
 * of its threads is made to run a serialising instruction (membarrier(2)). If
 * the result's mode is still UPLOCK_UP, some text could not be written
 * (counts.refused; reason tells why), and the process must stay on its CPU.
 *
 * To UP: only while all threads are kept on one CPU and no memory is shared
 * with a process on another. What cannot be written keeps its lock.
 *
 * Any thread, one at a time; not in a signal handler.
 */
struct uplock_status uplock_process_switch(enum uplock_mode mode);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
