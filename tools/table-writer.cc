// SPDX-License-Identifier: GPL-3.0-or-later

#include "table-writer.h"

#include <algorithm>
#include <cstring>
#include <string>

using namespace uplock;

namespace {

struct Class64 {
  using Ehdr = Elf64_Ehdr;
  using Shdr = Elf64_Shdr;
  using Sym = Elf64_Sym;
  using Rel = Elf64_Rel;
  using Rela = Elf64_Rela;
  static uint32_t symbol(uint64_t info) { return ELF64_R_SYM(info); }
  static uint64_t info(uint64_t symbol, uint64_t type) {
    return ELF64_R_INFO(symbol, type);
  }
  static uint32_t type(uint64_t info) { return ELF64_R_TYPE(info); }
};

struct Class32 {
  using Ehdr = Elf32_Ehdr;
  using Shdr = Elf32_Shdr;
  using Sym = Elf32_Sym;
  using Rel = Elf32_Rel;
  using Rela = Elf32_Rela;
  static uint32_t symbol(uint32_t info) { return ELF32_R_SYM(info); }
  static uint32_t info(uint32_t symbol, uint32_t type) {
    return ELF32_R_INFO(symbol, static_cast<unsigned char>(type));
  }
  static uint32_t type(uint32_t info) { return ELF32_R_TYPE(info); }
};

// Sections of LLVM's that have symbol numbers, as objcopy disarms them: without
// a link to the symbols the linker leaves them alone.
constexpr uint32_t llvm_addrsig = 0x6fff4c03;

constexpr uint64_t entry_size = 4;

template <typename Class> class Writer {
public:
  explicit Writer(const ElfFile &file) : file(file) {
    out.assign(file.bytes.data, file.bytes.data + file.bytes.size);
    header = read<typename Class::Ehdr>(0);
    for (size_t i = 0; i < file.sections().size(); i++)
      sections.push_back(read<Shdr>(header.e_shoff + i * sizeof(Shdr)));
    for (size_t i = 0; i < sections.size(); i++) {
      if (sections[i].sh_type == SHT_SYMTAB)
        symtab = i;
      if (sections[i].sh_type == SHT_SYMTAB_SHNDX)
        throw Unusable("has too many sections to add more");
    }
    if (!symtab)
      throw Unusable("has no symbols: give it as it was compiled");
    first_global = sections[symtab].sh_info;
    if (!first_global || first_global > sections[symtab].sh_size / sizeof(Sym))
      throw Unusable("its symbols: truncated or damaged");
  }

  std::vector<uint8_t>
  write(const std::map<size_t, std::vector<uint64_t>> &sites) {
    // Three sections for each, at most, and no number that means something
    // else.
    if (sections.size() + 3 * sites.size() >= SHN_LORESERVE)
      throw Unusable("has too many sections to add more");
    uint32_t table_name = add_name(".smp_locks");
    uint32_t relocations_name =
        add_name(is_rela ? ".rela.smp_locks" : ".rel.smp_locks");

    // Numbers first: of new symbols, then of all that speak of old ones.
    std::map<size_t, uint32_t> text_symbols, table_symbols;
    std::map<size_t, size_t> table_sections;
    size_t next_section = sections.size();
    for (auto &[text, offsets] : sites) {
      text_symbols[text] = add_section_symbol(text);
      table_sections[text] = next_section;
      table_symbols[text] = add_section_symbol(next_section);
      next_section += 2;
    }
    renumber();

    for (auto &[text, offsets] : sites) {
      std::vector<size_t> members = {table_sections[text],
                                     table_sections[text] + 1};
      add_table(text, offsets, table_name, relocations_name,
                text_symbols[text]);
      pending.push_back({text, offsets.front(), table_symbols[text], members});
    }
    for (const Reference &reference : pending)
      refer(reference);
    for (auto &[group, members] : new_members)
      add_members(group, members);
    finish();
    return std::move(out);
  }

private:
  using Shdr = typename Class::Shdr;
  using Sym = typename Class::Sym;
  using Rel = typename Class::Rel;
  using Rela = typename Class::Rela;
  struct Reference {
    size_t text;
    uint64_t site;
    uint32_t table_symbol;
    std::vector<size_t> members; // new in the group of the text section
  };

  const ElfFile &file;
  // REL where the processor's ABI has its addends in place (i386).
  const bool is_rela = file.is_64_bit_code();
  std::vector<uint8_t> out;
  typename Class::Ehdr header;
  std::vector<Shdr> sections;
  size_t symtab = 0;
  uint32_t first_global;
  std::vector<Sym> new_symbols;
  std::string new_names;
  std::vector<Reference> pending;
  std::map<size_t, std::vector<size_t>> new_members; // by group

  template <typename T> T read(uint64_t at) const {
    T value;
    memcpy(&value, out.data() + at, sizeof value);
    return value;
  }
  template <typename T> void write(uint64_t at, const T &value) {
    memcpy(out.data() + at, &value, sizeof value);
  }

  // At the end, aligned as anything may have to be. Returns where.
  uint64_t append(const void *bytes, size_t size) {
    out.resize((out.size() + 7) / 8 * 8);
    uint64_t at = out.size();
    auto begin = static_cast<const uint8_t *>(bytes);
    out.insert(out.end(), begin, begin + size);
    return at;
  }
  template <typename T>
  void replace(Shdr &section, const std::vector<T> &content) {
    section.sh_offset = append(content.data(), content.size() * sizeof(T));
    section.sh_size = content.size() * sizeof(T);
  }
  template <typename T> std::vector<T> content(const Shdr &section) const {
    std::vector<T> result(section.sh_size / sizeof(T));
    if (!result.empty())
      memcpy(result.data(), out.data() + section.sh_offset,
             result.size() * sizeof(T));
    return result;
  }

  uint32_t add_name(const std::string &name) {
    uint32_t at = sections[names_section()].sh_size + new_names.size();
    new_names += name + '\0';
    return at;
  }
  size_t names_section() const { return header.e_shstrndx; }

  uint32_t add_section_symbol(size_t section) {
    Sym symbol{};
    symbol.st_info = ELF64_ST_INFO(STB_LOCAL, STT_SECTION);
    symbol.st_shndx = section;
    new_symbols.push_back(symbol);
    return first_global + new_symbols.size() - 1;
  }

  template <typename T> void renumber_relocations(const Shdr &section) {
    for (uint64_t i = 0; i < section.sh_size / sizeof(T); i++) {
      uint64_t at = section.sh_offset + i * sizeof(T);
      T relocation = read<T>(at);
      uint32_t symbol = Class::symbol(relocation.r_info);
      if (symbol < first_global)
        continue;
      relocation.r_info = Class::info(symbol + new_symbols.size(),
                                      Class::type(relocation.r_info));
      write(at, relocation);
    }
  }

  void renumber() {
    std::vector<Sym> symbols = content<Sym>(sections[symtab]);
    symbols.insert(symbols.begin() + first_global, new_symbols.begin(),
                   new_symbols.end());
    replace(sections[symtab], symbols);
    sections[symtab].sh_info += new_symbols.size();
    for (Shdr &section : sections) {
      bool speaks_of_symbols = section.sh_link == symtab;
      if (section.sh_type == llvm_addrsig)
        section.sh_link = 0;
      if (!speaks_of_symbols)
        continue;
      if (section.sh_type == SHT_RELA)
        renumber_relocations<Rela>(section);
      else if (section.sh_type == SHT_REL)
        renumber_relocations<Rel>(section);
      else if (section.sh_type == SHT_GROUP && section.sh_info >= first_global)
        section.sh_info += new_symbols.size();
    }
  }

  Shdr make_relocations(uint32_t name, size_t target, bool is_grouped) {
    Shdr section{};
    section.sh_name = name;
    section.sh_type = is_rela ? SHT_RELA : SHT_REL;
    section.sh_flags = SHF_INFO_LINK | (is_grouped ? SHF_GROUP : 0);
    section.sh_link = symtab;
    section.sh_info = target;
    section.sh_addralign = sizeof(header.e_shoff);
    section.sh_entsize = is_rela ? sizeof(Rela) : sizeof(Rel);
    return section;
  }

  void add_table(size_t text, const std::vector<uint64_t> &offsets,
                 uint32_t name, uint32_t relocations_name,
                 uint32_t text_symbol) {
    bool is_grouped = file.sections()[text].group != 0;
    std::vector<int32_t> entries;
    std::vector<Rela> rela;
    std::vector<Rel> rel;
    for (uint64_t offset : offsets) {
      Rela with{};
      Rel without{};
      with.r_offset = without.r_offset = entry_size * entries.size();
      with.r_info = without.r_info = Class::info(text_symbol, ElfFile::pc32);
      with.r_addend = offset;
      rela.push_back(with);
      rel.push_back(without);
      entries.push_back(is_rela ? 0 : offset);
    }
    Shdr table{};
    table.sh_name = name;
    table.sh_type = SHT_PROGBITS;
    table.sh_flags = SHF_ALLOC | (is_grouped ? SHF_GROUP : 0);
    table.sh_addralign = entry_size;
    replace(table, entries);
    size_t index = sections.size();
    sections.push_back(table);
    Shdr relocations = make_relocations(relocations_name, index, is_grouped);
    is_rela ? replace(relocations, rela) : replace(relocations, rel);
    sections.push_back(relocations);
  }

  // The first site's NONE, among the others by its offset.
  template <typename T>
  void insert_none(Shdr &section, const Reference &reference) {
    std::vector<T> relocations = content<T>(section);
    T none{};
    none.r_offset = reference.site;
    none.r_info = Class::info(reference.table_symbol, ElfFile::none);
    auto next = std::find_if(
        relocations.begin(), relocations.end(),
        [&](const T &other) { return other.r_offset >= reference.site; });
    relocations.insert(next, none);
    replace(section, relocations);
  }

  void refer(const Reference &reference) {
    size_t group = file.sections()[reference.text].group;
    std::vector<size_t> members = reference.members;
    size_t index = 0;
    for (size_t i = 0; i < file.sections().size(); i++)
      if (sections[i].sh_type == (is_rela ? SHT_RELA : SHT_REL) &&
          sections[i].sh_link == symtab &&
          sections[i].sh_info == reference.text)
        index = i;
    if (!index) {
      index = sections.size();
      members.push_back(index);
      sections.push_back(make_relocations(
          add_name((is_rela ? ".rela" : ".rel") +
                   std::string(file.sections()[reference.text].name)),
          reference.text, group != 0));
    }
    is_rela ? insert_none<Rela>(sections[index], reference)
            : insert_none<Rel>(sections[index], reference);
    if (group) {
      auto &all = new_members[group];
      all.insert(all.end(), members.begin(), members.end());
    }
  }

  void add_members(size_t group, const std::vector<size_t> &members) {
    std::vector<uint32_t> words = content<uint32_t>(sections[group]);
    words.insert(words.end(), members.begin(), members.end());
    replace(sections[group], words);
  }

  void finish() {
    std::vector<char> names = content<char>(sections[names_section()]);
    names.insert(names.end(), new_names.begin(), new_names.end());
    replace(sections[names_section()], names);
    header.e_shoff = append(sections.data(), sections.size() * sizeof(Shdr));
    if (sections.size() >= SHN_LORESERVE)
      throw Unusable("has too many sections to add more");
    header.e_shnum = sections.size();
    write(0, header);
  }
};

} // namespace

std::vector<uint8_t>
uplock::add_tables(const ElfFile &file,
                   const std::map<size_t, std::vector<uint64_t>> &sites) {
  if (file.bytes.data[EI_CLASS] == ELFCLASS64)
    return Writer<Class64>(file).write(sites);
  return Writer<Class32>(file).write(sites);
}
