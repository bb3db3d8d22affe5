// SPDX-License-Identifier: MIT
//
// A Linux module that counts with GCC's __atomic builtins and with Linux's own
// atomics, and shows how Linux treats the two.
//
//   cat /sys/module/uplock_atomics/parameters/report
//
// prints the first bytes of some functions as they are in memory, then counts
// with several threads and from a timer's interrupt, which can come between
// any two instructions, and prints what was counted and what should have been.
//
// Linux knows the table that the plugin writes, .smp_locks, because it is
// Linux's own. Nothing of uplock's runtime is in here.
#include <linux/atomic.h>
#include <linux/completion.h>
#include <linux/cpumask.h>
#include <linux/hrtimer.h>
#include <linux/kthread.h>
#include <linux/module.h>

enum { threads = 4, rounds = 200000, shown = 16, period = 100000 };

static int number;
static u16 small;
static long rare;
static atomic_t linux_number = ATOMIC_INIT(0);

static noinline __noclone void builtin_increment(int *value) {
  __atomic_fetch_add(value, 1, __ATOMIC_SEQ_CST);
}

static noinline __noclone void linux_increment(atomic_t *value) {
  atomic_inc(value);
}

// Operands of 16 bits: the first byte is another prefix, 66.
static noinline __noclone void small_increment(u16 *value) {
  __atomic_fetch_add(value, 1, __ATOMIC_SEQ_CST);
}

// Not in .text but in .text.unlikely.
static __cold noinline __noclone void cold_increment(long *value) {
  __atomic_fetch_add(value, 1, __ATOMIC_SEQ_CST);
}

static int count(void *finished) {
  for (int round = 0; round < rounds; round++) {
    builtin_increment(&number);
    linux_increment(&linux_number);
    small_increment(&small);
    if (round % 64 == 0)
      cond_resched();
  }
  cold_increment(&rare);
  complete(finished);
  return 0;
}

static int interrupts;

static enum hrtimer_restart interrupt(struct hrtimer *timer) {
  interrupts++;
  builtin_increment(&number);
  linux_increment(&linux_number);
  small_increment(&small);
  hrtimer_forward_now(timer, ns_to_ktime(period));
  return HRTIMER_RESTART;
}

static int start_and_wait(void) {
  DECLARE_COMPLETION_ONSTACK(finished);
  int started, cpu = -1;
  for (started = 0; started < threads; started++) {
    struct task_struct *thread =
        kthread_create(count, &finished, "uplock/%d", started);
    if (IS_ERR(thread))
      break;
    // Each CPU in turn: threads that one CPU woke may all stay with it.
    cpu = cpumask_next(cpu, cpu_online_mask);
    if (cpu >= nr_cpu_ids)
      cpu = cpumask_first(cpu_online_mask);
    kthread_bind(thread, cpu);
    wake_up_process(thread);
  }
  for (int waiting = started; waiting; waiting--)
    wait_for_completion(&finished);
  return started == threads ? 0 : -ENOMEM;
}

static int bytes(char *out, const char *name, const void *function) {
  return sprintf(out, "%s: %*ph\n", name, shown, function);
}

static int report(char *out, const struct kernel_param *parameter) {
  static struct hrtimer timer;
  char *const begin = out;
  int problem;

  out += bytes(out, "builtin", builtin_increment);
  out += bytes(out, "linux", linux_increment);
  out += bytes(out, "small", small_increment);
  out += bytes(out, "cold", cold_increment);

  number = interrupts = rare = small = 0;
  atomic_set(&linux_number, 0);
  hrtimer_init(&timer, CLOCK_MONOTONIC, HRTIMER_MODE_REL_HARD);
  timer.function = interrupt;
  hrtimer_start(&timer, ns_to_ktime(period), HRTIMER_MODE_REL_HARD);
  problem = start_and_wait();
  hrtimer_cancel(&timer);
  if (problem)
    return problem;

  out += sprintf(out, "CPUs: %u, interrupts: %s\n", num_online_cpus(),
                 interrupts ? "yes" : "no");
  out += sprintf(out, "lost: builtin %d, linux %d, small %d, cold %ld\n",
                 threads * rounds + interrupts - number,
                 threads * rounds + interrupts - atomic_read(&linux_number),
                 (u16)(threads * rounds + interrupts - small), threads - rare);
  return out - begin;
}

static const struct kernel_param_ops report_ops = {.get = report};
module_param_cb(report, &report_ops, NULL, 0444);
MODULE_PARM_DESC(report, "counts, and says how");

static int __init start(void) {
  // Code that is thrown away after the start: Linux leaves it as it is.
  __atomic_store_n(&rare, 0, __ATOMIC_RELAXED);
  __atomic_fetch_add(&rare, 1, __ATOMIC_SEQ_CST);
  return 0;
}

static void __exit stop(void) {}

module_init(start);
module_exit(stop);
MODULE_DESCRIPTION("Counts with GCC's atomics under Linux's SMP alternatives");
MODULE_LICENSE("Dual MIT/GPL");
