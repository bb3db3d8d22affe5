// SPDX-License-Identifier: GPL-3.0-or-later
//
// To be preloaded: the address 256 MiB is taken, and a library that wants it comes
// to where 256 MiB below it is memory that cannot be read.
#include <sys/mman.h>

static char *reserve(void *wish, unsigned long size) {
  return static_cast<char *>(
      mmap(wish, size, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | (wish ? MAP_FIXED_NOREPLACE : 0), -1,
           0));
}

__attribute__((constructor)) static void reserve() {
  constexpr unsigned long mebibyte = 1 << 20;
  reserve(reinterpret_cast<void *>(256 * mebibyte), mebibyte);
  char *memory = reserve(nullptr, 1024 * mebibyte);
  char *gap = memory + 512 * mebibyte;
  munmap(gap, mebibyte);
  // Fill the gaps that come before this one.
  for (char *block; (block = reserve(nullptr, mebibyte / 16)) != MAP_FAILED;)
    if (block >= gap && block < gap + mebibyte) {
      munmap(block, mebibyte / 16);
      break;
    }
}
