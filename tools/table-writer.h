// SPDX-License-Identifier: GPL-3.0-or-later
//
// Adds tables to a relocatable object, as the plugin would have had them
// assembled (plugin/table-pass.cc): for each text section with sites one
// section .smp_locks, in the group of the text section if it is in one; for
// each site an entry with a PC32 relocation; and at the first site a relocation
// that changes nothing (R_X86_64_NONE, R_386_NONE) and refers to the table, so
// that
// --gc-sections keeps both or drops both.
//
// Nothing in the object moves. What is new, and new versions of what grows (the
// symbols, relocations, groups, section names), comes behind it, and the
// section headers after that. Section symbols are local and must stand before
// the global ones, so relocations and groups get those numbers anew.

#ifndef UPLOCK_TABLE_WRITER_H
#define UPLOCK_TABLE_WRITER_H

#include <cstdint>
#include <map>
#include <vector>

#include "elf-file.h"

namespace uplock {

// SITES: by section, their offsets in ascending order. Throws Unusable.
std::vector<uint8_t>
add_tables(const ElfFile &file,
           const std::map<size_t, std::vector<uint64_t>> &sites);

} // namespace uplock

#endif
