// SPDX-License-Identifier: GPL-3.0-or-later
//
// Adds a table to a linked file: a section .smp_locks that is not loaded. No
// byte moves. The table, a new copy of the section names and of the section
// headers come behind everything else, and the ELF header says where: e_shoff
// and e_shnum are all that changes of what is loaded, and no program reads
// them.

#ifndef UPLOCK_LINKED_TABLE_WRITER_H
#define UPLOCK_LINKED_TABLE_WRITER_H

#include <cstdint>
#include <vector>

#include "elf-file.h"

namespace uplock {

// SITES: addresses in ascending order. Nothing is appended to FILE. Throws
// Unusable.
std::vector<uint8_t> add_linked_table(const ElfFile &file,
                                      const std::vector<uint64_t> &sites);

} // namespace uplock

#endif
