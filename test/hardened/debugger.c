// SPDX-License-Identifier: GPL-3.0-or-later
//
// A debugger's breakpoint on a site is left alone, the program runs as it would
// without, and the mode is told truly. One that was set before the start hides a
// locked instruction; one that was set on an unlocked one hides that from the way
// back, and the process is told to be in UP mode until it is gone.
// REQUIRES: gdb
// RUN: %gcc -O2 -g %s %uplock-flags -o %t
// RUN: env UPLOCK=up UPLOCK_LOG=1 taskset -c 0 gdb -nx -batch \
// RUN:   -iex 'set debuginfod enabled off' -x %S/Inputs/debugger.gdb %t 2>&1 \
// RUN:   | FileCheck %s
#include <stdio.h>
#include <uplock-process.h>

int count;

// Their first instructions are the sites.
__attribute__((noinline)) void before(void) {
  __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
}
__attribute__((noinline)) void after(void) {
  __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
}
__attribute__((noinline)) void stop_here(void) { __asm__ volatile(""); }

static void show(const char *what, struct uplock_status status) {
  printf("%s: %s (%s), %zu changed, %zu already, %zu mismatched\n", what,
         status.mode ? "UP" : "SMP", status.reason, status.counts.changed,
         status.counts.already, status.counts.mismatched);
  fflush(stdout);
}

int main(void) {
  before();
  show("start", uplock_process_status());
  stop_here();
  show("up", uplock_process_switch(UPLOCK_UP));
  after();
  show("smp", uplock_process_switch(UPLOCK_SMP));
  stop_here();
  show("smp again", uplock_process_switch(UPLOCK_SMP));
  printf("count: %d\n", count);
}

// CHECK: uplock: {{.*}}: UP (UPLOCK=up), 2 sites, 1 changed, 1 mismatched
// CHECK: Breakpoint 1, {{.*}}before
// CHECK: start: UP (UPLOCK=up), 1 changed, 0 already, 1 mismatched
// CHECK: Breakpoint 2, {{.*}}stop_here
// CHECK: up: UP (uplock_process_switch), 1 changed, 0 already, 1 mismatched
// CHECK: Breakpoint 3, {{.*}}after
// CHECK: smp: UP (an unlocked instruction has been overwritten), 1 changed, 0 already, 1 mismatched
// CHECK: Breakpoint 2, {{.*}}stop_here
// CHECK: smp again: SMP (uplock_process_switch), 1 changed, 1 already, 0 mismatched
// CHECK: count: 2
