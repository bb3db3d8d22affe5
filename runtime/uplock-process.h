/* SPDX-License-Identifier: MIT
 *
 * uplock for Linux processes: what the library did at program start, and how to
 * change it. Link executables and shared libraries with the flags of
 * `pkg-config --libs uplock`; nothing has to be called.
 *
 * Each executable, shared library and plugin that is linked so (a module)
 * carries a copy of the library, and the copies find one another. The first
 * that is started decides, before its own constructors: UP mode when the
 * machine can have one CPU only, that is when /sys/devices/system/cpu/possible
 * is "0". Possible, not online: a CPU may be plugged in later; and not the
 * affinity: that can change. The others follow, those that are loaded later as
 * well; when all have been closed, the next decides anew. The environment
 * decides otherwise:
 *
 *   UPLOCK=auto  the default
 *   UPLOCK=smp   leave everything locked
 *   UPLOCK=up    run without locks. For a process that its owner keeps on one
 *                CPU (taskset) and that shares no memory with other processes
 *   UPLOCK_LOG=1 print a line a module to standard error, as long as that is
 *                what it was when the first module started
 *
 * Both are ignored in setuid programs and the like (AT_SECURE).
 *
 * The functions may be called by any thread, and by any module that is linked
 * with the library: they speak of the whole process. With glibc they wait for
 * each other and for dlopen and dlclose; with musl, in a static program, and in
 * one with a dl_iterate_phdr of its own, call one at a time, and none while
 * another thread loads a module. Not to be called in a signal handler, nor in a
 * process that shares its parent's memory (vfork, CLONE_VM). A child of fork
 * inherits the mode.
 */
#ifndef UPLOCK_PROCESS_H
#define UPLOCK_PROCESS_H

#include "uplock.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The process: the sum of its modules. */
struct uplock_status {
  enum uplock_mode mode;       /* UPLOCK_UP: instructions may be unlocked */
  const char *reason;          /* why, in words: the decision, or what stood in
                                  the way in one of the modules */
  struct uplock_counts counts; /* of the last walk over each table; zero where
                                  there was none: a program that starts in SMP
                                  mode does not look at its tables unless
                                  UPLOCK_LOG is set */
  uint64_t nanoseconds;        /* that it took */
};

/* One module. */
struct uplock_module {
  const char *path;      /* as the loader knows it, and for the executable
                            as it was started. Until the module is closed
                            (dlclose) */
  enum uplock_mode mode; /* the rest as above, of this module */
  const char *reason;
  struct uplock_counts counts;
  uint64_t nanoseconds;
};

/* What was done so far. */
struct uplock_status uplock_process_status(void);

/* The modules of the process in the order in which they were loaded, in all
 * namespaces (dlmopen). Fills MODULES, which has room for CAPACITY, and returns
 * how many there are. Those that are not linked with the library are not known
 * to it.
 */
size_t uplock_process_modules(struct uplock_module *modules, size_t capacity);

/* Brings all modules to the mode, and returns what was done. Those that are
 * loaded later follow it.
 *
 * To SMP: before the process is let onto a second CPU. Every CPU that runs one
 * of its threads is made to run a serialising instruction (membarrier(2)). If
 * the result's mode is still UPLOCK_UP, some instructions could not be locked
 * again (reason tells why, and the list which module's), and the process must
 * stay on its CPU.
 *
 * To UP: only while all threads are kept on one CPU and no memory is shared
 * with a process on another. What cannot be written keeps its lock.
 */
struct uplock_status uplock_process_switch(enum uplock_mode mode);

#ifdef __cplusplus
}
#endif

#endif
