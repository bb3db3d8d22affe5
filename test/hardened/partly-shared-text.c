// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two sites in pages that follow each other, of which the second is mapped anew
// from a file that cannot be written: the first one is unlocked and the status
// says so, no page stays writable, and the way back is whole.
// RUN: %gcc -O2 %s %uplock-flags -o %t
// RUN: env UPLOCK=smp taskset -c 0 %t | FileCheck %s
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>
#include <uplock-process.h>

enum { page_size = 4096 };

static int count;

__attribute__((noinline, aligned(4096))) static void far(void) {
  __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
  __asm__ volatile(".skip 4096, 0x90");
  __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
}

static int share(const unsigned char *page) {
  char path[32];
  int file = memfd_create("text", 0);
  if (write(file, page, page_size) != page_size)
    return 0;
  snprintf(path, sizeof path, "/proc/self/fd/%d", file);
  return mmap((void *)page, page_size, PROT_READ | PROT_EXEC,
              MAP_SHARED | MAP_FIXED, open(path, O_RDONLY), 0) == page;
}

static void show(struct uplock_status status) {
  const unsigned char *code = (const unsigned char *)far;
  int locked = 0, writable = 0;
  for (int i = 0; i < page_size + 16; i++) // what follows is not far's
    locked += code[i] == 0xf0 && code[i + 1] == 0x83;

  char line[512];
  FILE *maps = fopen("/proc/self/maps", "r");
  while (fgets(line, sizeof line, maps))
    writable += strstr(line, " rwxp ") != NULL;
  fclose(maps);

  far();
  printf("%s (%s): %zu changed, %zu refused; locked: %d, writable code: %d\n",
         status.mode ? "UP" : "SMP", status.reason, status.counts.changed,
         status.counts.refused, locked, writable);
}

int main(void) {
  if (!share((const unsigned char *)far + page_size))
    return 1;
  show(uplock_process_switch(UPLOCK_UP));
  show(uplock_process_switch(UPLOCK_SMP));
}

// CHECK:      UP (text cannot be written): 1 changed, 1 refused; locked: 1, writable code: 0
// CHECK-NEXT: SMP (uplock_process_switch): 1 changed, 0 refused; locked: 2, writable code: 0
