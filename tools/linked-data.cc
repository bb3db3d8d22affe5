// SPDX-License-Identifier: GPL-3.0-or-later

#include "linked-data.h"

#include <cstring>

using namespace uplock;

namespace {

constexpr uint32_t relr = 19; // SHT_RELR, which libelf may not know yet
constexpr uint32_t android_rel = 0x60000001, android_rela = 0x60000002;

// May a pointer, or a table of the program's, be in it? Not in what the dynamic
// loader and the unwinder read: what leads into code from there is read as what
// it is.
bool holds_words(const Section &section) {
  if (!(section.flags & SHF_ALLOC) || section.is_code() || !section.bytes.size)
    return false;
  for (const char *name : {".eh_frame", ".eh_frame_hdr", ".gcc_except_table"})
    if (!strcmp(section.name, name))
      return false;
  switch (section.type) {
  case SHT_PROGBITS:
  case SHT_INIT_ARRAY:
  case SHT_FINI_ARRAY:
  case SHT_PREINIT_ARRAY:
    return true;
  default:
    return false;
  }
}

} // namespace

LinkedData::LinkedData(const ElfFile &file) : file(file) {
  GElf_Ehdr header;
  if (!gelf_getehdr(file.handle(), &header))
    throw Unusable("its header: truncated or damaged");
  word = header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
  is_at_fixed_address = header.e_type == ET_EXEC;
  entrances.push_back({header.e_entry, "the entry point"});
  read_dynamic();
}

// Where the global offset table is, and functions that only .dynamic names.
void LinkedData::read_dynamic() {
  for (const Section &section : file.sections()) {
    if (section.type != SHT_DYNAMIC)
      continue;
    for (uint64_t at = 0; at + 2 * word <= section.bytes.size; at += 2 * word) {
      uint64_t tag = 0, value = 0;
      memcpy(&tag, section.bytes.data + at, word);
      memcpy(&value, section.bytes.data + at + word, word);
      if (tag == DT_PLTGOT)
        global_offset_tables.push_back(value);
      if (tag == DT_INIT || tag == DT_FINI)
        entrances.push_back({value, "the dynamic section"});
    }
  }
  // bfd's, lld's and gold's, and mold's.
  for (const Section &section : file.sections())
    if (!strcmp(section.name, ".got.plt") || !strcmp(section.name, ".got"))
      global_offset_tables.push_back(section.address);
  // Each word of data is looked at for each of them.
  constexpr size_t most = 16;
  if (global_offset_tables.size() > most)
    throw Unusable("more than " + std::to_string(most) +
                   " global offset tables: damaged");
}

std::optional<uint64_t> LinkedData::load(uint64_t address, size_t size) const {
  auto place = file.loaded_at(address);
  if (!place)
    return {};
  Bytes bytes = file.sections()[place->section].bytes;
  if (size > bytes.size - place->offset)
    return {};
  uint64_t value = 0;
  memcpy(&value, bytes.data + place->offset, size);
  return value;
}

void LinkedData::read_packed_relocations(const Section &section,
                                         const LeadTo &lead_to,
                                         const Change &change) const {
  // An address, or a bitmap of the words that follow (gABI, SHT_RELR).
  uint64_t next = 0;
  auto relocate = [&](uint64_t address) {
    change(address);
    if (auto value = load(address, word))
      lead_to(*value, "the pointer at ", address);
  };
  for (uint64_t at = 0; at + word <= section.bytes.size; at += word) {
    uint64_t value = 0;
    memcpy(&value, section.bytes.data + at, word);
    if (!(value & 1)) {
      relocate(value);
      next = value + word;
      continue;
    }
    for (size_t i = 0; i + 1 < word * 8; i++)
      if (value >> (i + 1) & 1)
        relocate(next + i * word);
    next += (word * 8 - 1) * word;
  }
}

void LinkedData::read_relocations(const LeadTo &lead_to,
                                  const Change &change) const {
  for (const Section &section : file.sections()) {
    if (!(section.flags & SHF_ALLOC))
      continue;
    if (section.type == android_rel || section.type == android_rela)
      throw Unusable(std::string("section ") + section.name +
                     ": relocations of a kind that is not known");
    if (section.type == relr)
      read_packed_relocations(section, lead_to, change);
  }
  const Section *dynamic_symbols = nullptr;
  for (const Section &section : file.sections())
    if (section.type == SHT_DYNSYM)
      dynamic_symbols = &section;
  Elf_Data *symbols =
      dynamic_symbols
          ? elf_getdata(elf_getscn(file.handle(), dynamic_symbols->index),
                        nullptr)
          : nullptr;
  for (const Relocation &relocation : file.dynamic_relocations()) {
    if (relocation.type == ElfFile::none)
      continue;
    uint64_t value = relocation.addend
                         ? *relocation.addend
                         : load(relocation.offset, word).value_or(0);
    // What these find in place is no addend, but where to go until the symbol
    // is known (System V psABI for i386, Relocation Types).
    if (!relocation.addend && (relocation.type == R_386_JMP_SLOT ||
                               relocation.type == R_386_GLOB_DAT)) {
      lead_to(value, "the pointer at ", relocation.offset);
      value = 0;
    }
    GElf_Sym symbol;
    if (relocation.symbol && symbols &&
        gelf_getsym(symbols, relocation.symbol, &symbol))
      value += symbol.st_value;
    lead_to(value, "the relocation at ", relocation.offset);
    change(relocation.offset);
  }
}

// What stands in data, word for word.
void LinkedData::read_words_of(const Section &section,
                               const std::set<uint64_t> &referred,
                               const LeadTo &lead_to) const {
  constexpr size_t size = 4;
  auto value_at = [&](uint64_t offset) {
    int32_t value;
    memcpy(&value, section.bytes.data + offset, sizeof value);
    return static_cast<uint64_t>(static_cast<int64_t>(value));
  };
  // Pointers, where addresses are known at the link. Half of a wide one is one
  // too, unless it is beyond 4 GiB. (Unaligned, ends of strings would be some.)
  if (is_at_fixed_address)
    for (uint64_t at = -section.address % size; at + size <= section.bytes.size;
         at += size) {
      uint64_t value = value_at(at), here = section.address + at;
      lead_to(value, "the pointer at ", here);
      lead_to(static_cast<uint32_t>(value), "the pointer at ", here);
      if (auto wide = load(here, sizeof(uint64_t)))
        lead_to(*wide, "the pointer at ", here);
    }

  // In 64-bit code a jump table's entries are relative to its start, which is
  // where code refers to; it goes on as long as they lead into code. In 32-bit
  // code they are relative to the global offset table.
  std::optional<uint64_t> table;
  for (uint64_t at = 0; at + size <= section.bytes.size; at++) {
    uint64_t here = section.address + at, value = value_at(at);
    if (file.is_64_bit_code() && referred.count(here))
      table = here;
    if (table && (here - *table) % size == 0) {
      if (file.code_at(file.wrap(*table + value))) {
        lead_to(*table + value, "the jump table at ", *table);
        continue;
      }
      table.reset();
    }
    if (here % size)
      continue;
    bool is_relative_to_table = false;
    if (!file.is_64_bit_code())
      for (uint64_t base : global_offset_tables) {
        is_relative_to_table |=
            file.code_at(file.wrap(base + value)).has_value();
        lead_to(base + value, "the word at ", here);
      }
    if (!is_relative_to_table)
      lead_to(here + value, "the word at ", here);
  }
}

void LinkedData::read_words(const std::set<uint64_t> &referred,
                            const LeadTo &lead_to) const {
  for (const Section &section : file.sections())
    if (holds_words(section))
      read_words_of(section, referred, lead_to);
}
