// SPDX-License-Identifier: GPL-3.0-or-later

#include "elf-file.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstring>
#include <utility>

using namespace uplock;

namespace {

[[noreturn]] void damaged(const std::string &what) {
  throw Unusable(what + ": truncated or damaged");
}

bool begins_with(Bytes bytes, const char *magic, size_t size) {
  return bytes.size >= size && !memcmp(bytes.data, magic, size);
}

// What people have in hand instead of an ELF file, and what to do with it.
struct {
  const char *magic;
  size_t size;
  const char *what;
} const other_formats[] = {
    {"MZ", 2,
     "a PE file, as firmware and boot loaders load it: give the ELF file that "
     "it was made of (a kernel's vmlinux)"},
    {"BC\xc0\xde", 4, "LLVM bitcode: give the object that is made of it"},
    {"!<thin>\n", 8, "a thin archive: give its members"},
    {"\x1f\x8b", 2, "compressed (gzip): decompress it first"},
    {"\xfd"
     "7zXZ",
     5, "compressed (xz): decompress it first"},
    {"\x28\xb5\x2f\xfd", 4, "compressed (zstd): decompress it first"},
};

[[noreturn]] void reject_format(Bytes bytes) {
  for (const auto &format : other_formats)
    if (begins_with(bytes, format.magic, format.size))
      throw Unusable(format.what);
  throw Unusable("not an ELF file");
}

bool holds_relocations(const Section &section) {
  return section.type == SHT_RELA || section.type == SHT_REL;
}

} // namespace

std::string uplock::hex(uint64_t value) {
  char text[32];
  snprintf(text, sizeof text, "0x%" PRIx64, value);
  return text;
}

bool Section::is_table() const {
  return !strcmp(name, ".smp_locks") && type != SHT_NOBITS;
}

ElfFile::ElfFile(std::string name, Bytes bytes)
    : name(std::move(name)), bytes(bytes) {
  if (!begins_with(bytes, ELFMAG, SELFMAG))
    reject_format(bytes);
  try {
    read_header();
    read_sections();
    check_layout();
    read_groups();
    read_symbols();
  } catch (...) {
    elf_end(elf);
    throw;
  }
}

ElfFile::~ElfFile() { elf_end(elf); }

Bytes ElfFile::slice(uint64_t offset, uint64_t size,
                     const std::string &what) const {
  if (offset > bytes.size || size > bytes.size - offset)
    damaged(what + " reaches behind the end of the file");
  return {bytes.data + offset, static_cast<size_t>(size)};
}

void ElfFile::read_header() {
  // libelf takes a writable pointer, and only reads.
  elf = elf_memory(reinterpret_cast<char *>(const_cast<uint8_t *>(bytes.data)),
                   bytes.size);
  if (!elf || !gelf_getehdr(elf, &header))
    damaged("its header");
  if (header.e_ident[EI_DATA] != ELFDATA2LSB)
    throw Unusable("not for x86 (it is big-endian)");
  if (header.e_machine != EM_X86_64 && header.e_machine != EM_386)
    throw Unusable("not for x86 (e_machine is " +
                   std::to_string(header.e_machine) + ")");
  if (header.e_type != ET_REL && header.e_type != ET_EXEC &&
      header.e_type != ET_DYN)
    throw Unusable("neither an object nor a linked file (e_type is " +
                   std::to_string(header.e_type) + ")");
  if (!header.e_shoff)
    throw Unusable("no section headers, through which the table is found: "
                   "give the file as it was linked");
}

void ElfFile::read_sections() {
  size_t count, names;
  size_t header_size = gelf_fsize(elf, ELF_T_SHDR, 1, EV_CURRENT);
  if (header.e_shentsize != header_size || elf_getshdrnum(elf, &count) ||
      !count || elf_getshdrstrndx(elf, &names))
    damaged("its section headers");
  slice(header.e_shoff, uint64_t{count} * header_size, "its section headers");

  all_sections.reserve(count);
  for (size_t index = 0; index < count; index++) {
    GElf_Shdr section;
    if (!gelf_getshdr(elf_getscn(elf, index), &section))
      damaged("its section headers");
    const char *name = index ? elf_strptr(elf, names, section.sh_name) : "";
    if (!name)
      damaged("the name of section " + std::to_string(index));
    Bytes content;
    if (index && section.sh_type != SHT_NOBITS && section.sh_type != SHT_NULL)
      content = slice(section.sh_offset, section.sh_size,
                      std::string("section ") + name);
    all_sections.push_back({index, name, section.sh_type, section.sh_flags,
                            section.sh_addr, section.sh_offset, section.sh_size,
                            section.sh_link, section.sh_info,
                            section.sh_addralign, 0, content});
  }
  for (const Section &section : all_sections)
    if ((section.is_code() || section.is_table()) &&
        section.flags & SHF_COMPRESSED)
      throw Unusable(std::string("section ") + section.name +
                     " is compressed: decompress it first (objcopy "
                     "--decompress-debug-sections)");
}

// Nothing that is judged or written is a part of something else: what one
// section says about a byte is all that is said about it.
void ElfFile::check_layout() {
  struct Range {
    uint64_t begin, size;
    const char *what, *name;
  };
  auto check = [&](std::vector<Range> ranges, const char *where) {
    std::sort(ranges.begin(), ranges.end(),
              [](auto &a, auto &b) { return a.begin < b.begin; });
    for (size_t i = 1; i < ranges.size(); i++) {
      const Range &one = ranges[i - 1], &other = ranges[i];
      if (other.begin - one.begin < one.size)
        throw Unusable(std::string(one.what) + one.name + " and " + other.what +
                       other.name + " overlap in " + where + ": damaged");
    }
  };

  std::vector<Range> in_file, in_memory;
  in_file.push_back({0, header.e_ehsize, "the ELF header", ""});
  in_file.push_back({header.e_shoff,
                     all_sections.size() * uint64_t{header.e_shentsize},
                     "the section headers", ""});
  size_t segments = 0;
  if (elf_getphdrnum(elf, &segments))
    damaged("its program headers");
  if (segments) {
    uint64_t size = segments * uint64_t{header.e_phentsize};
    slice(header.e_phoff, size, "its program headers");
    in_file.push_back({header.e_phoff, size, "the program headers", ""});
  }
  for (const Section &section : all_sections) {
    if (section.bytes.size)
      in_file.push_back(
          {section.offset, section.bytes.size, "section ", section.name});
    if (is_relocatable() || !section.is_code())
      continue;
    if (wrap(section.address + section.size - 1) < section.address)
      damaged(std::string("section ") + section.name +
              " reaches behind the last address");
    in_memory.push_back(
        {section.address, section.size, "section ", section.name});
  }
  check(in_file, "the file");
  for (const Range &range : in_file)
    last_byte = std::max(last_byte, range.begin + range.size);
  check(in_memory, "memory");
  if (is_relocatable())
    return;

  // What runs is what the segments load; sections only speak about it.
  std::vector<GElf_Phdr> loaded;
  in_memory.clear();
  for (size_t i = 0; i < segments; i++) {
    GElf_Phdr segment;
    if (!gelf_getphdr(elf, i, &segment))
      damaged("its program headers");
    if (segment.p_type != PT_LOAD || !segment.p_filesz)
      continue;
    std::string what = "segment " + std::to_string(i);
    slice(segment.p_offset, segment.p_filesz, what);
    last_byte = std::max(last_byte, segment.p_offset + segment.p_filesz);
    if (wrap(segment.p_vaddr + segment.p_filesz - 1) < segment.p_vaddr)
      damaged(what + " reaches behind the last address");
    in_memory.push_back({segment.p_vaddr, segment.p_filesz, "a segment", ""});
    loaded.push_back(segment);
  }
  check(in_memory, "memory");
  std::sort(loaded.begin(), loaded.end(),
            [](auto &a, auto &b) { return a.p_vaddr < b.p_vaddr; });
  for (const Section &section : all_sections) {
    if (!section.is_code())
      continue;
    uint64_t last = section.address + (section.size - 1);
    auto next = std::upper_bound(loaded.begin(), loaded.end(), last,
                                 [](uint64_t address, auto &segment) {
                                   return address < segment.p_vaddr;
                                 });
    if (next == loaded.begin())
      continue;
    const GElf_Phdr &segment = *--next;
    uint64_t end = segment.p_vaddr + (segment.p_filesz - 1);
    if (end < section.address)
      continue;
    if (segment.p_vaddr > section.address || end < last ||
        section.offset - segment.p_offset != section.address - segment.p_vaddr)
      throw Unusable(std::string("section ") + section.name +
                     " is not what a segment loads there: damaged");
  }
}

void ElfFile::read_groups() {
  for (const Section &section : all_sections) {
    if (section.is_code())
      code_by_address.push_back(&section);
    if (section.flags & SHF_ALLOC && section.bytes.size)
      loaded_by_address.push_back(&section);
    if (section.type != SHT_GROUP)
      continue;
    // A word of flags, then section indices (gABI, chapter 4).
    for (size_t i = 4; i + 4 <= section.bytes.size; i += 4) {
      uint32_t member;
      memcpy(&member, section.bytes.data + i, sizeof member);
      if (member >= all_sections.size())
        damaged("section group " + std::to_string(section.index));
      all_sections[member].group = section.index;
    }
  }
  for (auto *sections : {&code_by_address, &loaded_by_address})
    std::sort(sections->begin(), sections->end(),
              [](auto *a, auto *b) { return a->address < b->address; });
}

void ElfFile::read_symbols() {
  for (uint32_t type : {SHT_SYMTAB, SHT_DYNSYM})
    for (const Section &section : all_sections)
      if (section.type == type && !symbol_table)
        symbol_table = section.index;
  if (!symbol_table)
    return;
  name_table = all_sections[symbol_table].link;
  if (name_table >= all_sections.size() ||
      all_sections[name_table].type != SHT_STRTAB)
    damaged(std::string("section ") + all_sections[symbol_table].name);
  symbol_data = elf_getdata(elf_getscn(elf, symbol_table), nullptr);
  if (!symbol_data)
    damaged(std::string("section ") + all_sections[symbol_table].name);
  symbol_count =
      symbol_data->d_size / gelf_fsize(elf, ELF_T_SYM, 1, EV_CURRENT);
  for (const Section &section : all_sections)
    if (section.type == SHT_SYMTAB_SHNDX && section.link == symbol_table)
      wide_indices = elf_getdata(elf_getscn(elf, section.index), nullptr);
  for (const Section &section : all_sections)
    if (holds_relocations(section) && section.link == symbol_table)
      relocation_tables.emplace_back(section.info, section.index);
  std::sort(relocation_tables.begin(), relocation_tables.end());
}

Symbol ElfFile::read_symbol(size_t index) const {
  GElf_Sym symbol;
  Elf32_Word wide = 0;
  if (!gelf_getsymshndx(symbol_data, wide_indices, index, &symbol, &wide))
    damaged("symbol " + std::to_string(index));
  const char *name = elf_strptr(elf, name_table, symbol.st_name);
  if (!name)
    damaged("the name of symbol " + std::to_string(index));
  size_t section = symbol.st_shndx;
  if (section == SHN_XINDEX && wide_indices)
    section = wide;
  else if (section >= SHN_LORESERVE)
    section = 0;
  if (section >= all_sections.size())
    damaged("symbol " + std::to_string(index));
  return {name,
          static_cast<unsigned char>(GELF_ST_TYPE(symbol.st_info)),
          static_cast<unsigned char>(GELF_ST_BIND(symbol.st_info)),
          symbol.st_value,
          symbol.st_size,
          section};
}

void ElfFile::for_each_symbol(
    const std::function<void(const Symbol &)> &visit) const {
  for (size_t index = 1; index < symbol_count; index++)
    visit(read_symbol(index));
}

std::optional<Symbol> ElfFile::symbol(uint32_t index) const {
  if (!index || index >= symbol_count)
    return {};
  return read_symbol(index);
}

void ElfFile::read_relocations(const Section &table,
                               std::vector<Relocation> &relocations) const {
  Elf_Data *data = elf_getdata(elf_getscn(elf, table.index), nullptr);
  bool rela = table.type == SHT_RELA;
  size_t size = gelf_fsize(elf, rela ? ELF_T_RELA : ELF_T_REL, 1, EV_CURRENT);
  if (!data || table.bytes.size % size)
    damaged(std::string("section ") + table.name);
  // Of the first table alone: to make room for each of thousands would move all
  // the others each time.
  if (relocations.empty())
    relocations.reserve(data->d_size / size);
  for (size_t i = 0; i < data->d_size / size; i++) {
    GElf_Rela with{};
    GElf_Rel without{};
    if (rela ? !gelf_getrela(data, i, &with) : !gelf_getrel(data, i, &without))
      damaged(std::string("section ") + table.name);
    uint64_t info = rela ? with.r_info : without.r_info;
    Relocation relocation{rela ? with.r_offset : without.r_offset,
                          static_cast<uint32_t>(GELF_R_TYPE(info)),
                          static_cast<uint32_t>(GELF_R_SYM(info)),
                          {}};
    if (rela)
      relocation.addend = with.r_addend;
    relocations.push_back(relocation);
  }
}

std::vector<Relocation> ElfFile::relocations(const Section &section) const {
  std::vector<Relocation> found;
  auto next =
      std::lower_bound(relocation_tables.begin(), relocation_tables.end(),
                       std::make_pair(section.index, size_t{0}));
  for (; next != relocation_tables.end() && next->first == section.index;
       ++next)
    read_relocations(all_sections[next->second], found);
  std::stable_sort(found.begin(), found.end(),
                   [](auto &a, auto &b) { return a.offset < b.offset; });
  return found;
}

std::vector<Relocation> ElfFile::dynamic_relocations() const {
  std::vector<Relocation> found;
  for (const Section &table : all_sections)
    if (holds_relocations(table) && table.flags & SHF_ALLOC)
      read_relocations(table, found);
  return found;
}

namespace {

// SECTIONS: in order of address.
std::optional<Place> find(const std::vector<const Section *> &sections,
                          uint64_t address) {
  auto next = std::upper_bound(
      sections.begin(), sections.end(), address,
      [](uint64_t wanted, auto *section) { return wanted < section->address; });
  if (next == sections.begin())
    return {};
  const Section &section = **--next;
  if (address - section.address >= section.size)
    return {};
  return Place{section.index, address - section.address};
}

} // namespace

std::optional<Place> ElfFile::code_at(uint64_t address) const {
  return find(code_by_address, address);
}

std::optional<Place> ElfFile::loaded_at(uint64_t address) const {
  return find(loaded_by_address, address);
}

std::string ElfFile::describe(Place place) const {
  const Section &section = all_sections[place.section];
  if (is_relocatable())
    return std::string(section.name) + "+" + hex(place.offset);
  return hex(section.address + place.offset);
}
