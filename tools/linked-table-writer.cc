// SPDX-License-Identifier: GPL-3.0-or-later

#include "linked-table-writer.h"

#include <cstring>
#include <string>

using namespace uplock;

namespace {

std::vector<int32_t> entries_for(const ElfFile &file,
                                 const std::vector<uint64_t> &sites) {
  // A section that is not loaded is at address 0: an entry's is its offset.
  std::vector<int32_t> entries;
  for (uint64_t site : sites) {
    uint64_t here = sizeof(int32_t) * entries.size();
    auto distance = static_cast<int32_t>(site - here);
    if (!distance || file.wrap(here + static_cast<int64_t>(distance)) != site)
      throw Unusable("its addresses are beyond 2 GiB, where the entries of a "
                     "table that is not loaded do not reach");
    entries.push_back(distance);
  }
  return entries;
}

// At the end, aligned as headers are. Returns where.
uint64_t append(std::vector<uint8_t> &out, const void *bytes, size_t size) {
  out.resize((out.size() + 7) / 8 * 8);
  uint64_t at = out.size();
  auto begin = static_cast<const uint8_t *>(bytes);
  out.insert(out.end(), begin, begin + size);
  return at;
}

template <typename Ehdr, typename Shdr>
std::vector<uint8_t> write(const ElfFile &file,
                           const std::vector<int32_t> &entries) {
  std::vector<uint8_t> out(file.bytes.data, file.bytes.data + file.bytes.size);
  Ehdr header;
  memcpy(&header, out.data(), sizeof header);
  std::vector<Shdr> sections(file.sections().size());
  if (sections.size() + 1 >= SHN_LORESERVE ||
      header.e_shstrndx >= sections.size() ||
      file.sections()[header.e_shstrndx].flags & SHF_ALLOC)
    throw Unusable("no section can be added to it");
  memcpy(sections.data(), out.data() + header.e_shoff,
         sections.size() * sizeof(Shdr));

  Bytes old_names = file.sections()[header.e_shstrndx].bytes;
  std::string names(reinterpret_cast<const char *>(old_names.data),
                    old_names.size);
  Shdr table{};
  table.sh_name = names.size();
  table.sh_type = SHT_PROGBITS;
  table.sh_addralign = sizeof(int32_t);
  table.sh_size = entries.size() * sizeof(int32_t);
  table.sh_offset = append(out, entries.data(), table.sh_size);
  sections.push_back(table);
  names += std::string(".smp_locks") + '\0';
  sections[header.e_shstrndx].sh_size = names.size();
  sections[header.e_shstrndx].sh_offset =
      append(out, names.data(), names.size());
  header.e_shnum = sections.size();
  header.e_shoff = append(out, sections.data(), sections.size() * sizeof(Shdr));
  memcpy(out.data(), &header, sizeof header);
  return out;
}

} // namespace

std::vector<uint8_t>
uplock::add_linked_table(const ElfFile &file,
                         const std::vector<uint64_t> &sites) {
  std::vector<int32_t> entries = entries_for(file, sites);
  return file.bytes.data[EI_CLASS] == ELFCLASS64
             ? write<Elf64_Ehdr, Elf64_Shdr>(file, entries)
             : write<Elf32_Ehdr, Elf32_Shdr>(file, entries);
}
