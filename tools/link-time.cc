// SPDX-License-Identifier: GPL-3.0-or-later

#include "link-time.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include <dwarf.h>
#include <elfutils/libdw.h>

#include "debug-info.h"

using namespace uplock;

namespace {

bool is_without_plugin(const std::string &producer) {
  return producer.compare(0, 10, "GNU GIMPLE") == 0 &&
         producer.find("-fplugin=") == std::string::npos;
}

constexpr const char *advice =
    " generated at the link (-flto) without the plugin: give -fplugin at the "
    "link too";

} // namespace

std::vector<std::string>
uplock::find_link_without_plugin(const ElfFile &file, const Table &table,
                                 const std::vector<Place> &missing) {
  std::vector<std::string> findings;
  if (missing.empty() || file.is_relocatable())
    return findings;

  struct Debug {
    Dwarf *dwarf;
    ~Debug() { dwarf_end(dwarf); }
  };
  NothingOpens guard;
  Debug debug{dwarf_begin_elf(file.handle(), DWARF_C_READ, nullptr)};
  Dwarf_CU *unit = nullptr;
  Dwarf_Die die;
  uint8_t type;
  // Each has its own bytes, unless units share them to make this long.
  const size_t most = file.bytes.size;
  std::vector<std::pair<Dwarf_Addr, Dwarf_Addr>> ranges;
  while (debug.dwarf && !dwarf_get_units(debug.dwarf, unit, &unit, nullptr,
                                         &type, &die, nullptr)) {
    Dwarf_Attribute attribute;
    const char *producer =
        dwarf_formstring(dwarf_attr(&die, DW_AT_producer, &attribute));
    if (!producer || !is_without_plugin(producer))
      continue;
    Dwarf_Addr base, begin, end;
    for (ptrdiff_t at = 0;
         ranges.size() < most &&
         (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0;)
      ranges.emplace_back(begin, end);
  }
  std::sort(ranges.begin(), ranges.end());
  std::vector<Dwarf_Addr> addresses;
  for (Place place : missing)
    addresses.push_back(file.sections()[place.section].address + place.offset);
  std::sort(addresses.begin(), addresses.end());
  size_t affected = 0;
  Dwarf_Addr reach = 0;
  auto next = ranges.begin();
  for (Dwarf_Addr address : addresses) {
    for (; next != ranges.end() && next->first <= address; ++next)
      reach = std::max(reach, next->second);
    affected += address < reach;
  }
  if (affected) {
    findings.push_back(std::to_string(affected) +
                       " locked instructions without an entry are in code" +
                       advice);
    return findings;
  }

  if (table.exists)
    return findings;
  for (const Section &section : file.sections()) {
    if (strcmp(section.name, ".GCC.command.line"))
      continue;
    // Strings, each with its zero.
    auto text = reinterpret_cast<const char *>(section.bytes.data);
    for (size_t at = 0; at < section.bytes.size;) {
      size_t length = strnlen(text + at, section.bytes.size - at);
      if (is_without_plugin(std::string(text + at, length))) {
        findings.push_back(std::string("no table, and code") + advice);
        return findings;
      }
      at += length + 1;
    }
  }
  return findings;
}
