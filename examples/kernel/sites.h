// SPDX-License-Identifier: MIT
//
// The table from a reader's side: where its instructions are. The kernel itself
// does not need this; the scenarios do.

#ifndef KERNEL_SITES_H
#define KERNEL_SITES_H

#include "main.h"

constexpr uint8_t lock_prefix = 0xf0, ds_prefix = 0x3e, nop = 0x90;

inline uintptr_t site_of(const int32_t *entry) {
  return reinterpret_cast<uintptr_t>(entry) +
         static_cast<uintptr_t>(static_cast<intptr_t>(*entry));
}

// How many sites lie in [begin, end); first is the lowest of them.
inline unsigned count_sites(uintptr_t begin, uintptr_t end,
                            uintptr_t *first = nullptr) {
  unsigned count = 0;
  for (const int32_t *entry = __smp_locks; entry < __smp_locks_end; entry++) {
    uintptr_t site = site_of(entry);
    if (!*entry || site < begin || site >= end)
      continue;
    if (first && (!count || site < *first))
      *first = site;
    count++;
  }
  return count;
}

inline bool is_site(uintptr_t address) {
  return count_sites(address, address + 1) != 0;
}

// Is it behind the first byte of a site, and not behind its last one? The
// shortest locked instruction has three bytes: a prefix, an opcode and its
// operand.
inline bool is_inside_site(uintptr_t address) {
  return count_sites(address - 2, address) != 0;
}

#endif
