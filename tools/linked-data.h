// SPDX-License-Identifier: GPL-3.0-or-later
//
// What in a linked file's data may lead into its code: the dynamic section,
// dynamic relocations, pointers and jump tables. What a relocation said in the
// object is a number here, and which numbers are addresses is not written
// anywhere: a word is read in every way that would lead into code. Some of them
// are numbers all the same: then a function is refused without need.

#ifndef UPLOCK_LINKED_DATA_H
#define UPLOCK_LINKED_DATA_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <vector>

#include "elf-file.h"
#include "linked-functions.h"

namespace uplock {

class LinkedData {
public:
  explicit LinkedData(const ElfFile &file);

  size_t word; // the size of a pointer
  // Are addresses known at the link, so that any number may be one?
  bool is_at_fixed_address;
  // Where it may be; 32-bit code's tables are relative to it.
  std::vector<uint64_t> global_offset_tables;
  // What the header and the dynamic section name.
  std::vector<Entrance> entrances;

  // "WHAT", the pointer at and the like, at FROM may lead to ADDRESS, which is
  // not wrapped yet.
  using LeadTo =
      std::function<void(uint64_t address, const char *what, uint64_t from)>;
  // The dynamic loader writes a word at ADDRESS.
  using Change = std::function<void(uint64_t address)>;

  // Relocations of kinds that are not known are Unusable.
  void read_relocations(const LeadTo &lead_to, const Change &change) const;
  // REFERRED: addresses of data that code refers to, where tables may begin.
  void read_words(const std::set<uint64_t> &referred,
                  const LeadTo &lead_to) const;

private:
  const ElfFile &file;

  void read_dynamic();
  void read_packed_relocations(const Section &section, const LeadTo &lead_to,
                               const Change &change) const;
  void read_words_of(const Section &section, const std::set<uint64_t> &referred,
                     const LeadTo &lead_to) const;
  std::optional<uint64_t> load(uint64_t address, size_t size) const;
};

} // namespace uplock

#endif
