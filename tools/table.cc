// SPDX-License-Identifier: GPL-3.0-or-later

#include "table.h"

#include <algorithm>
#include <cstring>

using namespace uplock;

namespace {

constexpr size_t entry_size = 4;

int32_t read_entry(const uint8_t *bytes) {
  int32_t value;
  memcpy(&value, bytes, sizeof value);
  return value;
}

struct Reader {
  const ElfFile &file;
  Table &table;

  void find(const std::string &what) { table.findings.push_back(what); }
  void read(const Section &section);
  void read_linked(const Section &section);
  void read_relocatable(const Section &section);
  void read_relocated(const Section &section, uint64_t offset,
                      const Relocation &relocation);
  std::string group_name(const Section &section) const {
    return section.group ? std::to_string(section.group) : "none";
  }
};

void Reader::read(const Section &section) {
  // strip takes the relocations with them, and leaves entries of zero.
  if (file.is_relocatable() && !file.has_symbols())
    throw Unusable("has no symbols: give it as it was compiled");
  table.exists = true;
  table.is_loaded |= (section.flags & SHF_ALLOC) != 0;
  if (file.is_relocatable() && !(section.flags & SHF_ALLOC))
    find(".smp_locks: would not be linked into what is loaded (the flag "
         "SHF_ALLOC is missing)");
  if (section.bytes.size % entry_size)
    find(".smp_locks: its size " + std::to_string(section.bytes.size) +
         " is no multiple of 4");
  if (section.address % entry_size || section.alignment % entry_size)
    find(".smp_locks: is not aligned to 4 bytes");
  file.is_relocatable() ? read_relocatable(section) : read_linked(section);
}

void Reader::read_linked(const Section &section) {
  for (uint64_t offset = 0; offset + entry_size <= section.bytes.size;
       offset += entry_size) {
    int32_t value = read_entry(section.bytes.data + offset);
    if (!value)
      continue;
    Place entry{section.index, offset};
    uint64_t address =
        file.wrap(section.address + offset + static_cast<int64_t>(value));
    if (auto target = file.code_at(address))
      table.entries.push_back({entry, *target});
    else
      find(hex(address) + ": " + describe_entry(entry) + " points at no code");
  }
}

void Reader::read_relocatable(const Section &section) {
  std::vector<Relocation> relocations = file.relocations(section);
  auto next = relocations.begin();
  for (uint64_t offset = 0; offset + entry_size <= section.bytes.size;
       offset += entry_size) {
    std::string name = describe_entry({section.index, offset});
    for (; next != relocations.end() && next->offset < offset; ++next)
      find(describe_entry({section.index, next->offset}) +
           ": a relocation between entries");
    auto behind = next;
    while (behind != relocations.end() && behind->offset == offset)
      ++behind;
    if (behind - next > 1)
      find(name + ": more than one relocation");
    else if (behind != next)
      read_relocated(section, offset, *next);
    else if (int32_t value = read_entry(section.bytes.data + offset))
      find(name + ": " + std::to_string(value) + " without a relocation");
    next = behind;
  }
  for (; next != relocations.end(); ++next)
    find(describe_entry({section.index, next->offset}) +
         ": a relocation between entries");
}

// S + A - P: the entry's address is P, so S + A is the target.
void Reader::read_relocated(const Section &section, uint64_t offset,
                            const Relocation &relocation) {
  Place entry{section.index, offset};
  std::string name = describe_entry(entry);
  if (relocation.type != ElfFile::pc32) {
    find(name + ": a relocation of type " + std::to_string(relocation.type) +
         ", not PC32");
    return;
  }
  auto symbol = file.symbol(relocation.symbol);
  if (!symbol || !symbol->section) {
    find(name + ": refers to " + (symbol ? symbol->name : "nothing") +
         ", which is not in this file");
    return;
  }
  int64_t addend = relocation.addend ? *relocation.addend
                                     : read_entry(section.bytes.data + offset);
  const Section &code = file.sections()[symbol->section];
  Place target{symbol->section, file.wrap(symbol->value + addend)};
  if (!code.is_code() || target.offset >= code.size) {
    find(std::string(code.name) + "+" + hex(target.offset) + ": " + name +
         " points at no code");
    return;
  }
  table.entries.push_back({entry, target});
  if (section.group != code.group)
    find(name + ": is in group " + group_name(section) + ", its code " +
         std::string(code.name) + " in group " + group_name(code) +
         ": a linker may drop one of them");
}

} // namespace

std::string uplock::describe_entry(Place entry) {
  return ".smp_locks+" + hex(entry.offset);
}

Table uplock::read_table(const ElfFile &file) {
  Table table;
  Reader reader{file, table};
  bool is_loaded = false;
  size_t count = 0;
  for (const Section &section : file.sections()) {
    if (!section.is_table())
      continue;
    reader.read(section);
    is_loaded |= (section.flags & SHF_ALLOC) != 0;
    count += section.size != 0;
  }
  if (file.is_relocatable())
    return table;
  if (count > 1)
    reader.find(".smp_locks: there are " + std::to_string(count) +
                " sections of this name, of which the runtime reads one: link "
                "objects whose sections have the same flags");
  if (!is_loaded)
    return table;
  for (const Relocation &relocation : file.dynamic_relocations()) {
    auto place = file.loaded_at(relocation.offset);
    if (place && file.sections()[place->section].is_table())
      reader.find(describe_entry(*place) +
                  ": the dynamic loader would relocate it");
  }
  return table;
}
