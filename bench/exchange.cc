// SPDX-License-Identifier: MIT
//
// How an exchange could be made patchable, and what each way costs on many CPUs
// and on one. The instructions are written out, so that no compiler chooses.
//
//   xchg            what GCC emits; cannot be patched
//   test; xchg      what cover=exchange emits, in SMP mode
//   jmp; cmpxchg    the same in UP mode: to the cold part and back
//   cmpxchg loop    load, then lock cmpxchg until it succeeds: the way without
//   a
//                   switch, in SMP mode, and without the prefix in UP mode
//   one cmpxchg     the same for test_and_set, which needs no loop
//
// With two threads, each on a CPU of its own, both fight for one cache line.

#include <benchmark/benchmark.h>
#include <sched.h>

#ifdef __x86_64__

static long line __attribute__((aligned(64)));

static long by_xchg(long value) {
  asm volatile("xchgq %0,%1" : "+r"(value), "+m"(line)::"memory");
  return value;
}

static long by_switch(long value) {
  asm volatile("testl $0x12345678,%%eax\n\txchgq %0,%1"
               : "+r"(value), "+m"(line)::"memory", "cc");
  return value;
}

static long by_jump(long value) {
  long old;
  asm volatile("jmp 1f\n"
               "2:\n\t"
               ".subsection 1\n"
               "1:\tmovq %1,%0\n"
               "3:\tcmpxchgq %2,%1\n\t"
               "jne 3b\n\t"
               "jmp 2b\n\t"
               ".previous"
               : "=&a"(old), "+m"(line)
               : "r"(value)
               : "memory", "cc");
  return old;
}

static long by_locked_loop(long value) {
  long old;
  asm volatile("movq %1,%0\n"
               "1:\tlock cmpxchgq %2,%1\n\t"
               "jne 1b"
               : "=&a"(old), "+m"(line)
               : "r"(value)
               : "memory", "cc");
  return old;
}

static long by_loop(long value) {
  long old;
  asm volatile("movq %1,%0\n"
               "1:\tcmpxchgq %2,%1\n\t"
               "jne 1b"
               : "=&a"(old), "+m"(line)
               : "r"(value)
               : "memory", "cc");
  return old;
}

static long set_by_xchg() { return by_xchg(1); }
static long set_by_switch() { return by_switch(1); }

static long set_by_locked_cmpxchg() {
  long old = 0;
  asm volatile("lock cmpxchgq %2,%1"
               : "+a"(old), "+m"(line)
               : "r"(1l)
               : "memory", "cc");
  return old;
}

static long set_by_cmpxchg() {
  long old = 0;
  asm volatile("cmpxchgq %2,%1"
               : "+a"(old), "+m"(line)
               : "r"(1l)
               : "memory", "cc");
  return old;
}

// Puts the threads of a run on CPUs of their own.
static void spread(const benchmark::State &state) {
  cpu_set_t cpus;
  CPU_ZERO(&cpus);
  CPU_SET(state.thread_index(), &cpus);
  if (state.threads() > 1)
    sched_setaffinity(0, sizeof cpus, &cpus);
}

template <long (*exchange)(long)>
static void exchanges(benchmark::State &state) {
  spread(state);
  long value = state.thread_index() + 1;
  for (auto _ : state)
    value += exchange(value);
  benchmark::DoNotOptimize(value);
}

// A spinlock: set it, and clear it if it was ours to take.
template <long (*set)()> static void locks(benchmark::State &state) {
  spread(state);
  long taken = 0;
  line = 0;
  for (auto _ : state)
    if (!set()) {
      taken++;
      __atomic_store_n(&line, 0, __ATOMIC_RELEASE);
    }
  benchmark::DoNotOptimize(taken);
}

#define ROW(what, name) BENCHMARK(what)->Name(name)
// Unlocked forms are right on one CPU only.
#define BOTH(what, name)                                                       \
  ROW(what, name);                                                             \
  ROW(what, name " (2 threads)")                                              \
      ->Threads(2)                                                             \
      ->UseRealTime()                                                          \
      ->Iterations(2000000)

BOTH(exchanges<by_xchg>, "exchange: xchg");
BOTH(exchanges<by_switch>, "exchange: test; xchg");
BOTH(exchanges<by_locked_loop>, "exchange: lock cmpxchg loop");
ROW(exchanges<by_jump>, "exchange, UP: jmp; cmpxchg");
ROW(exchanges<by_loop>, "exchange, UP: cmpxchg loop");
BOTH(locks<set_by_xchg>, "test_and_set: xchg");
BOTH(locks<set_by_switch>, "test_and_set: test; xchg");
BOTH(locks<set_by_locked_cmpxchg>, "test_and_set: lock cmpxchg");
ROW(locks<set_by_cmpxchg>, "test_and_set, UP: cmpxchg");

#endif

BENCHMARK_MAIN();
