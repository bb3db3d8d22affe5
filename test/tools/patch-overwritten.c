// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the file has unlocked and the runtime does not find is unlocked still: text
// that cannot be read, and a site that something has overwritten, as a debugger
// does with its breakpoints.
// RUN: %gcc -O2 %s -o %t %uplock-flags && uplock patch --up %t
// RUN: cp %t %t.unreadable
// RUN: python3 %S/../hardened/Inputs/edit-elf.py %t.unreadable \
// RUN:   'segment.1.p_flags=1 if old == 5 else old'
// RUN: env UPLOCK=smp %t.unreadable 2>&1 | FileCheck %s --check-prefix=UNREADABLE
// UNREADABLE:      uplock: {{.*}}: unlocked in the file, and cannot be locked again (no executable segment that can be read): keep it on one CPU
// UNREADABLE-NEXT: status: UP (no executable segment that can be read)
//
// RUN: env UPLOCK=up taskset -c 0 %t overwrite | FileCheck %s --check-prefix=OVERWRITTEN
// OVERWRITTEN:      overwritten: UP (an unlocked instruction has been overwritten)
// OVERWRITTEN-NEXT: there again: SMP (uplock_process_switch)
// OVERWRITTEN-NEXT: locked, overwritten: SMP (uplock_process_switch)

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>
#include <uplock-process.h>

static int counter;

__attribute__((noinline)) static void count(void) {
  __atomic_fetch_add(&counter, 1, __ATOMIC_SEQ_CST);
}

static void write_text(const unsigned char *byte, unsigned char value) {
  int fd = open("/proc/self/mem", O_RDWR);
  if (pwrite(fd, &value, 1, (off_t)byte) != 1)
    perror("/proc/self/mem");
  close(fd);
}

static void show(const char *what, struct uplock_status status) {
  printf("%s: %s (%s)\n", what, status.mode == UPLOCK_UP ? "UP" : "SMP",
         status.reason);
}

int main(int argc, char **argv) {
  (void)argv;
  count();
  if (argc == 1) {
    show("status", uplock_process_status());
    return 0;
  }
  const unsigned char *byte = (const unsigned char *)count;
  while (byte[1] != 0x83)
    byte++;
  unsigned char old = *byte;
  write_text(byte, 0xcc);
  show("overwritten", uplock_process_switch(UPLOCK_SMP));
  write_text(byte, old);
  show("there again", uplock_process_switch(UPLOCK_SMP));
  write_text(byte, 0xcc);
  show("locked, overwritten", uplock_process_switch(UPLOCK_SMP));
  return 0;
}
