// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program whose own dl_iterate_phdr, made for another purpose, calls nobody back:
// it starts and switches all the same.
// RUN: %gcc -O2 %s %uplock-flags -o %t
// RUN: env UPLOCK=up taskset -c 0 %t | FileCheck %s
#define _GNU_SOURCE
#include <link.h>
#include <stdio.h>
#include <uplock-process.h>

int count;

int dl_iterate_phdr(int (*callback)(struct dl_phdr_info *, size_t, void *),
                    void *data) {
  (void)callback, (void)data;
  return 0;
}

static void show(struct uplock_status status) {
  __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
  printf("%s, %zu changed, %d\n", status.mode ? "UP" : "SMP",
         status.counts.changed, count);
}

int main(void) {
  show(uplock_process_status());
  show(uplock_process_switch(UPLOCK_SMP));
  show(uplock_process_switch(UPLOCK_UP));
}

// CHECK:      UP, 1 changed, 1
// CHECK-NEXT: SMP, 1 changed, 2
// CHECK-NEXT: UP, 1 changed, 3
