// SPDX-License-Identifier: GPL-3.0-or-later
//
// An ELF file for x86: an executable, a shared object, a relocatable object, or
// a member of an archive of those. Read through libelf, and distrusted: what it
// hands out lies inside of the file, and the sections that hold code or a table
// share no byte with anything else. What is not so is Unusable.

#ifndef UPLOCK_ELF_FILE_H
#define UPLOCK_ELF_FILE_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <gelf.h>
#include <libelf.h>

#include "image.h"

namespace uplock {

struct Section {
  size_t index;
  const char *name;
  uint32_t type;
  uint64_t flags, address, offset, size;
  uint32_t link, info;
  uint64_t alignment;
  size_t group; // the section of type SHT_GROUP that it is in, or 0
  Bytes bytes;  // none where the file has none (SHT_NOBITS)

  bool is_code() const {
    return bytes.size && flags & SHF_ALLOC && flags & SHF_EXECINSTR;
  }
  bool is_table() const;
};

// A byte of a section.
struct Place {
  size_t section;
  uint64_t offset;
};

inline bool operator<(const Place &a, const Place &b) {
  return a.section != b.section ? a.section < b.section : a.offset < b.offset;
}
inline bool operator==(const Place &a, const Place &b) {
  return a.section == b.section && a.offset == b.offset;
}

struct Symbol {
  const char *name;
  unsigned char type, bind;
  uint64_t value, size;
  size_t section; // 0: not defined in a section of this file
};

struct Relocation {
  uint64_t offset;
  uint32_t type, symbol;
  std::optional<int64_t> addend; // none: it is in the bytes relocated
};

// "0x10c6"
std::string hex(uint64_t value);

class ElfFile {
public:
  // NAME is what messages call it; BYTES outlive it.
  ElfFile(std::string name, Bytes bytes);
  ~ElfFile();
  ElfFile(const ElfFile &) = delete;
  ElfFile &operator=(const ElfFile &) = delete;

  const std::string name;
  const Bytes bytes;

  // By index; the first is no section.
  const std::vector<Section> &sections() const { return all_sections; }
  bool is_relocatable() const { return header.e_type == ET_REL; }
  // More than the null symbol that each table begins with.
  bool has_symbols() const { return symbol_count > 1; }
  // Is its code 64-bit code? (x32's is.)
  bool is_64_bit_code() const { return header.e_machine == EM_X86_64; }
  // R_X86_64_PC32 or R_386_PC32; R_X86_64_NONE and R_386_NONE.
  static constexpr uint32_t pc32 = R_X86_64_PC32, none = R_X86_64_NONE;

  // Where everything ends that the ELF header leads to.
  uint64_t end() const { return last_byte; }
  Elf *handle() const { return elf; } // libelf's, for libdw

  // Addresses wrap around where pointers do.
  uint64_t wrap(uint64_t address) const {
    return header.e_ident[EI_CLASS] == ELFCLASS64
               ? address
               : static_cast<uint32_t>(address);
  }
  // Of a linked file: where in the code is ADDRESS?
  std::optional<Place> code_at(uint64_t address) const;
  // Where in what the file has of a loaded section?
  std::optional<Place> loaded_at(uint64_t address) const;
  // An address, or SECTION+OFFSET in a relocatable object.
  std::string describe(Place place) const;

  // Is there a .symtab?
  bool has_all_symbols() const {
    return symbol_table && all_sections[symbol_table].type == SHT_SYMTAB;
  }
  // Every symbol of the best table there is: .symtab, or else .dynsym.
  void for_each_symbol(const std::function<void(const Symbol &)> &visit) const;
  // Of the table that relocations speak of; none if there is no such symbol.
  std::optional<Symbol> symbol(uint32_t index) const;
  // What a linker would apply to SECTION, in order of offset.
  std::vector<Relocation> relocations(const Section &section) const;
  // What the dynamic loader applies, in the order of the file.
  std::vector<Relocation> dynamic_relocations() const;

private:
  Elf *elf = nullptr;
  GElf_Ehdr header;
  std::vector<Section> all_sections;
  std::vector<const Section *> code_by_address, loaded_by_address;
  // The section that a relocation section is for, and that one.
  std::vector<std::pair<size_t, size_t>> relocation_tables;
  size_t symbol_table = 0, name_table = 0;
  Elf_Data *symbol_data = nullptr, *wide_indices = nullptr;
  size_t symbol_count = 0;
  uint64_t last_byte = 0;

  void read_header();
  void read_sections();
  void read_groups();
  void read_symbols();
  void check_layout();
  Symbol read_symbol(size_t index) const;
  void read_relocations(const Section &table,
                        std::vector<Relocation> &relocations) const;
  Bytes slice(uint64_t offset, uint64_t size, const std::string &what) const;
};

} // namespace uplock

#endif
