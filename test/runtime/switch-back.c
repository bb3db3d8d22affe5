// SPDX-License-Identifier: GPL-3.0-or-later
//
// A switch back that cannot be made is told as what it is: the mode stays UP. One
// that can be made does not depend on a file that can still be opened.
// RUN: %gcc -O2 %s %uplock-flags -o %t
// RUN: env UPLOCK=up taskset -c 0 %t | FileCheck %s
#define main deny_main
#include "Inputs/deny.c"
#undef main
#include <sys/resource.h>
#include <uplock-process.h>

int count;

static void show(const char *what, struct uplock_status status) {
  printf("%s: mode %d (%s), %zu changed, %zu refused\n", what, status.mode,
         status.reason, status.counts.changed, status.counts.refused);
}

int main(void) {
  __atomic_fetch_add(&count, 1, 5);
  show("start", uplock_process_status());

  struct rlimit none = {0, 0};
  setrlimit(RLIMIT_NOFILE, &none);
  show("smp without files", uplock_process_switch(UPLOCK_SMP));
  show("up without files", uplock_process_switch(UPLOCK_UP));

  if (install_filter(1))
    return 1;
  show("smp denied", uplock_process_switch(UPLOCK_SMP));
  show("up denied", uplock_process_switch(UPLOCK_UP));
  show("status", uplock_process_status());
  return 0;
}

// CHECK:      start: mode 1 (UPLOCK=up), 1 changed, 0 refused
// CHECK-NEXT: smp without files: mode 0 (uplock_process_switch), 1 changed, 0 refused
// CHECK-NEXT: up without files: mode 1 (uplock_process_switch), 1 changed, 0 refused
// CHECK-NEXT: smp denied: mode 1 (text cannot be written), 0 changed, 1 refused
// CHECK-NEXT: up denied: mode 1 (uplock_process_switch), 0 changed, 0 refused
// CHECK-NEXT: status: mode 1
