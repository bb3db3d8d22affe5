// SPDX-License-Identifier: GPL-3.0-or-later
//
// Four sites, and what a damaged table may point to: data that looks like locked
// instructions. Switches to UP and to SMP, and prints how many bytes of all that
// the program has in memory are then other ones than at first.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uplock-process.h>

int count;
unsigned char bait[64] = {0xf0, 0x83, 0x00, 0x01, 0xf0, 0x83, 0x00, 0x01,
                          0x87, 0x07, 0xa9, 0x01, 0x02, 0x03, 0x04, 0x87};
static const unsigned char constant_bait[] = {0xf0, 0x83, 0x00, 0x01, 0x87,
                                              0x07, 0x00, 0xf0, 0xf0, 0xf0};

// From the ELF header to what the runtime may write to: code, constants, the table.
extern const char __executable_start, data_start;
static char image[1 << 16];
static unsigned char bait_image[sizeof bait];

static size_t size(void) { return &data_start - &__executable_start; }

static void remember(void) {
  if (size() > sizeof image)
    exit(1);
  memcpy(image, &__executable_start, size());
  memcpy(bait_image, bait, sizeof bait);
}

static size_t different(void) {
  size_t count = 0;
  for (size_t i = 0; i < size(); i++)
    count += (&__executable_start)[i] != image[i];
  for (size_t i = 0; i < sizeof bait; i++)
    count += bait[i] != bait_image[i];
  return count;
}

__attribute__((noinline)) static void add(void) {
  __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
  __atomic_fetch_or(&count, 8, __ATOMIC_SEQ_CST);
  __atomic_fetch_sub(&count, 1, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&count, constant_bait[0], __ATOMIC_SEQ_CST);
}

static void show(enum uplock_mode mode) {
  struct uplock_status status = uplock_process_switch(mode);
  struct uplock_module own;
  uplock_process_modules(&own, 1);
  printf("%s (%s), ", status.mode ? "UP" : "SMP", own.reason);
  if (mode == UPLOCK_UP)
    printf("%zu sites, %zu changed, %zu mismatched, ", own.counts.sites,
           own.counts.changed, own.counts.mismatched);
  printf("%zu bytes\n", different());
}

int main(void) {
  setvbuf(stdout, NULL, _IONBF, 0);
  add();
  remember();
  show(UPLOCK_UP);
  add();
  show(UPLOCK_SMP);
  add();
}
