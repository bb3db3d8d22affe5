// SPDX-License-Identifier: GPL-3.0-or-later

#include "proof.h"

#include <algorithm>
#include <cstring>
#include <deque>

using namespace uplock;

namespace {

// How many instructions may stand between a switch and what belongs to it.
constexpr size_t near = 64;

std::string without_cold(std::string name) {
  const std::string cold = ".cold";
  if (name.size() > cold.size() &&
      !name.compare(name.size() - cold.size(), cold.size(), cold))
    name.resize(name.size() - cold.size());
  return name;
}

} // namespace

const char *uplock::in_words(Cover kind) {
  switch (kind) {
  case Cover::rmw:
    return "rmw";
  case Cover::fence:
    return "fence";
  case Cover::store:
    return "store";
  case Cover::exchange:
    return "exchange";
  }
  return "?";
}

Proof::Proof(const ElfFile &file, const Functions &functions, Code &code,
             const Table &table)
    : findings(table.findings), file(file), functions(functions), code(code) {
  std::vector<Entry> entries = table.entries;
  std::stable_sort(entries.begin(), entries.end(),
                   [](auto &a, auto &b) { return a.target < b.target; });
  sites.reserve(entries.size());
  for (const Entry &entry : entries)
    check_entry(entry);

  // Now that all of them are known.
  for (const Site &site : sites)
    if (site.kind == Cover::exchange)
      check_switch(site);
}

size_t Proof::up_count() const {
  return std::count_if(sites.begin(), sites.end(),
                       [](auto &site) { return site.patch.is_up; });
}

bool Proof::is_site(Place place) const {
  return std::binary_search(sites.begin(), sites.end(), Site{place, {}, {}, {}},
                            [](auto &a, auto &b) { return a.place < b.place; });
}

std::string Proof::describe(Place place) const {
  std::string text =
      file.describe(place) + " " + demangle(functions.name_at(place)) + ": ";
  auto start = code.start_of(place);
  return text + (start ? code.text(*start) : "no instruction");
}

void Proof::find(Place place, const std::string &what) {
  findings.push_back(describe(place) + ": " + what);
}

void Proof::check_entry(const Entry &entry) {
  std::string name = describe_entry(entry.entry);
  Place place = entry.target;
  auto start = code.start_of(place);
  if (!start) {
    find(place, name + " points at bytes that are no instruction");
    return;
  }
  if (start->offset != place.offset) {
    find(place, name + " points " +
                    std::to_string(place.offset - start->offset) +
                    " behind its first byte");
    return;
  }
  if (!sites.empty() && sites.back().place == place) {
    find(place,
         "in " + describe_entry(sites.back().entry) + ", and again in " + name);
    return;
  }
  const Section &section = file.sections()[place.section];
  Site site{place, entry.entry, {}, {}};
  Instruction smp;
  std::string wrong = read_site(
      code.decoder, file.is_64_bit_code(), section.bytes.data + place.offset,
      section.bytes.size - place.offset, site.patch, smp);
  if (!wrong.empty()) {
    find(place, "in " + name + ", but " + wrong);
    return;
  }
  switch (site.patch.form) {
  case Form::lock:
    site.kind = smp.kind() == Kind::fence ? Cover::fence : Cover::rmw;
    break;
  case Form::store:
    site.kind = Cover::store;
    break;
  case Form::exchange:
    site.kind = Cover::exchange;
    break;
  }
  sites.push_back(site);
}

// Where the jump at PLACE leads; none if that is outside of the file.
std::optional<Place> Proof::jump_target(Place place,
                                        const Instruction &instruction) {
  const auto &operand = instruction.raw.raw.imm[0];
  size_t size = operand.size / 8;
  const Section &section = file.sections()[place.section];
  uint64_t field = place.offset + operand.offset;
  // Read anew: of a test it was decoded as a number without a sign.
  int64_t distance = 0;
  if (size == 1)
    distance = static_cast<int8_t>(section.bytes.data[field]);
  else if (size == 4) {
    int32_t value;
    memcpy(&value, section.bytes.data + field, sizeof value);
    distance = value;
  } else {
    return {};
  }

  if (!file.is_relocatable())
    return file.code_at(file.wrap(section.address + field + size + distance));

  auto [known, is_new] = relocations.try_emplace(place.section);
  if (is_new)
    known->second = file.relocations(section);
  auto next = std::lower_bound(
      known->second.begin(), known->second.end(), field,
      [](auto &relocation, uint64_t at) { return relocation.offset < at; });
  while (next != known->second.end() && next->offset == field &&
         next->type == ElfFile::none)
    ++next;
  if (next == known->second.end() || next->offset != field)
    return Place{place.section, field + size + distance};
  auto symbol = file.symbol(next->symbol);
  if (next->type != ElfFile::pc32 || !symbol || !symbol->section)
    return {};
  int64_t addend = next->addend ? *next->addend : distance;
  return Place{symbol->section, file.wrap(symbol->value + addend + size)};
}

// The first instruction that is WANTED of those that control reaches from FROM
// on, itself included, if one is near.
template <typename Wanted>
std::optional<Place> Proof::reach(Place from, Wanted wanted) {
  std::set<Place> seen;
  std::deque<Place> front{from};
  while (!front.empty() && seen.size() < near) {
    Place place = front.front();
    front.pop_front();
    Instruction instruction;
    if (!code.is_start(place) || !seen.insert(place).second ||
        !code.decode(place, instruction))
      continue;
    if (wanted(place, instruction))
      return place;
    bool is_up_switch = instruction.is_switch() && is_site(place);
    if (instruction.is_direct_jump() && !is_up_switch)
      if (auto target = jump_target(place, instruction))
        front.push_back(*target);
    if (instruction.falls_through() || is_up_switch)
      front.push_back({place.section, place.offset + instruction.length()});
  }
  return {};
}

void Proof::check_switch(const Site &site) {
  Place place = site.place;
  Instruction instruction;
  code.decode(place, instruction);
  Place next{place.section, place.offset + instruction.length()};
  auto exchange = reach(next, [](Place, const Instruction &other) {
    return other.kind() == Kind::xchg;
  });
  if (exchange)
    switched.insert(*exchange);
  else
    find(place, "in " + describe_entry(site.entry) + ", but no xchg follows");

  auto cold = jump_target(place, instruction);
  if (!cold || !code.is_start(*cold)) {
    find(place, "as a jump it leads to no instruction");
    return;
  }
  std::string function = functions.name_at(*cold);
  if (without_cold(function) != without_cold(functions.name_at(place))) {
    find(place,
         "as a jump it leads out of its function, to " + demangle(function));
    return;
  }
  auto swap = reach(*cold, [](Place, const Instruction &other) {
    return other.raw.mnemonic == ZYDIS_MNEMONIC_CMPXCHG;
  });
  if (!swap)
    find(place, "as a jump it leads to no lock cmpxchg");
  else if (!is_site(*swap))
    find(*swap, "the other side of a switch, but not in the table");
}
