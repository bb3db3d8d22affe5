// SPDX-License-Identifier: GPL-3.0-or-later
//
// The table .smp_locks: 32-bit distances from each entry to its instruction
// (docs/design.md, "Table format"). In a relocatable object each has a
// relocation instead, R_X86_64_PC32 or R_386_PC32, and every text section may
// have a table section of its own.

#ifndef UPLOCK_TABLE_H
#define UPLOCK_TABLE_H

#include <string>
#include <vector>

#include "elf-file.h"

namespace uplock {

struct Entry {
  Place entry, target;
};

struct Table {
  std::vector<Entry> entries;
  std::vector<std::string> findings; // what is wrong with the table itself
  bool exists = false;
  bool is_loaded = false; // SHF_ALLOC
};

Table read_table(const ElfFile &file);

// `.smp_locks+0x10`
std::string describe_entry(Place entry);

} // namespace uplock

#endif
