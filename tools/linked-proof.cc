// SPDX-License-Identifier: GPL-3.0-or-later
//
// Why it is enough to look at starts. Say that a function passes, and that
// control is at the first byte of one of its instructions: then it comes to the
// next one, or to where a branch leads, which has been looked at, or to an
// address that was computed or loaded: from pointers and tables, which have
// been looked at too. So it never comes to the second byte of an instruction,
// and what was decoded is what runs.

#include "linked-proof.h"

#include <algorithm>
#include <map>
#include <optional>

#include "linked-data.h"
#include "linked-functions.h"

using namespace uplock;

namespace {

// Does INSTRUCTION fill up, doing nothing? In 32-bit code `lea 0(%esi), %esi`
// does.
bool is_filler(const Instruction &instruction) {
  switch (instruction.raw.mnemonic) {
  case ZYDIS_MNEMONIC_NOP:
  case ZYDIS_MNEMONIC_INT3:
    return true;
  case ZYDIS_MNEMONIC_LEA: {
    const auto &address = instruction.operands[1].mem;
    return address.base == instruction.operands[0].reg.value &&
           address.index == ZYDIS_REGISTER_NONE && !address.disp.value;
  }
  default:
    return false;
  }
}

class Prover {
public:
  explicit Prover(const ElfFile &file)
      : file(file), decoder(file.is_64_bit_code()), data(file) {}

  std::vector<ProvenFunction> functions;
  void prove();

private:
  struct Text {
    const Section *section;
    std::vector<bool> starts;
    std::vector<bool> in_function;
  };

  const ElfFile &file;
  Decoder decoder;
  LinkedData data;
  std::map<size_t, Text> texts;
  // Addresses of data that code refers to.
  std::set<uint64_t> referred;
  std::vector<std::pair<Place, Place>> gaps; // between functions

  void decode(ProvenFunction &function);
  void decode_gap(size_t section, uint64_t begin, uint64_t end,
                  ProvenFunction &outside);
  template <typename Visit>
  void for_each_target(const Section &section, uint64_t at,
                       const Instruction &instruction, Visit visit);
  void suspect(const Section &section, uint64_t begin, uint64_t end,
               bool is_unknown);

  bool is_inside(Place place, const ProvenFunction &this_one);
  // The function that ADDRESS is in, if it is in the middle of an instruction.
  ProvenFunction *is_misled(uint64_t address);
  void lead_to(uint64_t address, const std::string &from) {
    address = file.wrap(address);
    ProvenFunction *function = is_misled(address);
    if (!function)
      return;
    if (function->refusal.empty())
      function->refusal = from + " leads into the middle of an instruction";
    if (seen_astray.insert(address).second)
      astray.push_back(address);
  }
  void lead_to(uint64_t address, const char *what, uint64_t from) {
    if (is_misled(file.wrap(address)))
      lead_to(address, what + hex(from));
  }
  void change(uint64_t address);
  // Functions that hold other instructions than were decoded.
  std::vector<const ProvenFunction *> doubtful;
  std::set<const ProvenFunction *> changed;
  // Those of them whose bounds or bytes are such that it is not known where
  // instructions begin.
  std::set<const ProvenFunction *> unknown;
  // Where control may be in the middle of an instruction, to be followed.
  std::vector<uint64_t> astray;
  std::set<uint64_t> seen_astray;
  void follow(uint64_t address);
  void run_on(const Section &section, uint64_t at,
              const Instruction &instruction);
};

ProvenFunction *Prover::is_misled(uint64_t address) {
  auto place = file.code_at(address);
  if (!place)
    return nullptr;
  const Text &text = texts[place->section];
  if (text.starts[place->offset] || !text.in_function[place->offset])
    return nullptr;
  return containing(functions, *place);
}

// The addresses that INSTRUCTION may speak of: of branches, operands relative
// to it and, where addresses are known at the link or relative to a table of
// 32-bit code, all numbers in it that are wide enough.
template <typename Visit>
void Prover::for_each_target(const Section &section, uint64_t at,
                             const Instruction &instruction, Visit visit) {
  uint64_t next = section.address + at + instruction.length();
  const auto &raw = instruction.raw.raw;
  for (const auto &immediate : raw.imm)
    if (immediate.size && immediate.is_relative)
      visit(file.wrap(next + static_cast<uint64_t>(immediate.value.s)));
    else if (immediate.size >= 32 && data.is_at_fixed_address)
      visit(file.wrap(immediate.value.u));
  if (raw.disp.size < 32)
    return;
  for (int i = 0; i < instruction.raw.operand_count; i++)
    if (instruction.operands[i].type == ZYDIS_OPERAND_TYPE_MEMORY &&
        (instruction.operands[i].mem.base == ZYDIS_REGISTER_RIP ||
         instruction.operands[i].mem.base == ZYDIS_REGISTER_EIP)) {
      visit(file.wrap(next + static_cast<uint64_t>(raw.disp.value)));
      return;
    }
  if (data.is_at_fixed_address)
    visit(file.wrap(static_cast<uint64_t>(raw.disp.value)));
  if (!file.is_64_bit_code())
    for (uint64_t table : data.global_offset_tables)
      visit(file.wrap(table + static_cast<uint64_t>(raw.disp.value)));
}

// Is PLACE something else than the start of another function than THIS_ONE?
bool Prover::is_inside(Place place, const ProvenFunction &this_one) {
  const ProvenFunction *function = containing(functions, place);
  return !function || function == &this_one || !(function->place == place);
}

void Prover::decode(ProvenFunction &function) {
  const Section &section = file.sections()[function.place.section];
  Text &text = texts[section.index];
  uint64_t begin = function.place.offset, end = begin + function.size;
  std::fill(text.in_function.begin() + begin, text.in_function.begin() + end,
            true);
  if (!function.refusal.empty())
    unknown.insert(&function);
  bool jumps = false, computes = false, refers_to_code = false;
  for (uint64_t at = begin; at < end;) {
    Instruction instruction;
    if (!decoder.decode(section.bytes.data + at, end - at, instruction)) {
      if (function.refusal.empty())
        function.refusal = "the bytes at +" + std::to_string(at - begin) +
                           " are no instruction";
      unknown.insert(&function);
      return;
    }
    text.starts[at] = true;
    Place place{section.index, at};
    Kind kind = instruction.kind();
    if (kind != Kind::plain)
      function.locks.push_back({place, kind});
    bool is_branch = instruction.raw.raw.imm[0].is_relative;
    if (instruction.raw.meta.category == ZYDIS_CATEGORY_UNCOND_BR &&
        !is_branch) {
      jumps = true;
      computes |= instruction.operands[0].type == ZYDIS_OPERAND_TYPE_REGISTER;
    }
    for_each_target(section, at, instruction, [&](uint64_t address) {
      std::optional<Place> target = file.code_at(address);
      if (!target)
        referred.insert(address);
      else if (!is_branch)
        refers_to_code |= is_inside(*target, function);
    });
    at += instruction.length();
  }
  // 32-bit code's jump tables are relative to a place that each linker chooses
  // as it likes, and some of them name nowhere. What is loaded from memory and
  // jumped to as it is, a table's entry too, is a pointer.
  if (computes && !file.is_64_bit_code() && function.refusal.empty())
    function.refusal = "it may jump by a table, which is not followed in "
                       "32-bit code";
  if (jumps && refers_to_code && function.refusal.empty())
    function.refusal = "it may compute a jump from a place in the code";
}

// What is between two functions, but for what only fills up at its end.
void Prover::decode_gap(size_t index, uint64_t begin, uint64_t end,
                        ProvenFunction &outside) {
  const Section &section = file.sections()[index];
  const uint8_t *bytes = section.bytes.data;
  uint64_t zeros = end; // where they begin
  while (zeros > begin && !bytes[zeros - 1])
    zeros--;
  uint64_t filler = begin; // where it begins
  for (uint64_t at = begin; at < zeros;) {
    Instruction instruction;
    if (!decoder.decode(bytes + at, end - at, instruction)) {
      filler = ++at;
      continue;
    }
    Kind kind = instruction.kind();
    if (kind != Kind::plain)
      outside.locks.push_back({{index, at}, kind});
    at += instruction.length();
    if (!is_filler(instruction))
      filler = at;
  }
  if (filler > begin)
    gaps.push_back({{index, begin}, {index, filler}});
}

// The dynamic loader writes a word at ADDRESS.
void Prover::change(uint64_t address) {
  for (uint64_t byte : {address, address + data.word - 1})
    if (auto place = file.code_at(byte))
      if (ProvenFunction *function = containing(functions, *place))
        if (changed.insert(function).second) {
          if (function->refusal.empty())
            function->refusal = "the dynamic loader changes its code";
          doubtful.push_back(function);
        }
}

// What runs after an INSTRUCTION at AT that is not one of those that were
// decoded for a function: neither may it begin before a function and end in it.
void Prover::run_on(const Section &section, uint64_t at,
                    const Instruction &instruction) {
  const Text &text = texts[section.index];
  uint64_t next = at + instruction.length(), here = section.address + at;
  for (uint64_t byte = at + 1; byte < std::min(next, section.size); byte++)
    if (text.in_function[byte]) {
      ProvenFunction *function = containing(functions, {section.index, byte});
      if (function->place.offset > at && function->refusal.empty())
        function->refusal =
            "what may be run at " + hex(here) + " reaches over its first byte";
    }
  if (!instruction.falls_through() || next >= section.size)
    return;
  lead_to(section.address + next, "what may be run at ", here);
  if (!text.in_function[next] &&
      seen_astray.insert(section.address + next).second)
    astray.push_back(section.address + next);
}

// What may be there, from any byte on, and go on behind it if it is not even
// known where its last instruction begins.
void Prover::suspect(const Section &section, uint64_t begin, uint64_t end,
                     bool is_unknown) {
  for (uint64_t at = begin; at < end; at++) {
    Instruction instruction;
    if (!decoder.decode(section.bytes.data + at, section.size - at,
                        instruction))
      continue;
    for_each_target(section, at, instruction, [&](uint64_t address) {
      if (is_misled(address))
        lead_to(address, "what may be a branch at " +
                             hex(section.address + at) +
                             ", among what is not proven,");
    });
    if (is_unknown && at + instruction.length() >= end)
      run_on(section, at, instruction);
  }
}

// What runs once control is at ADDRESS, until it is at an instruction that was
// decoded: from there on nothing is new.
void Prover::follow(uint64_t address) {
  Place place = *file.code_at(address);
  const Section &section = file.sections()[place.section];
  Instruction instruction;
  if (!decoder.decode(section.bytes.data + place.offset,
                      section.size - place.offset, instruction))
    return;
  for_each_target(section, place.offset, instruction, [&](uint64_t target) {
    lead_to(target, "what may be run at ", address);
  });
  run_on(section, place.offset, instruction);
}

void Prover::prove() {
  for (const Section &section : file.sections()) {
    if (section.is_code())
      texts[section.index] = {&section, std::vector<bool>(section.size),
                              std::vector<bool>(section.size)};
  }
  LinkedFunctions found = find_linked_functions(file);
  functions = std::move(found.functions);
  ProvenFunction outside{"", {0, 0}, 0, "in no function", {}};
  auto next = functions.begin();
  for (auto &[index, text] : texts) {
    uint64_t at = 0;
    for (; next != functions.end() && next->place.section == index; ++next) {
      decode_gap(index, at, next->place.offset, outside);
      decode(*next);
      at = next->place.offset + next->size;
    }
    decode_gap(index, at, text.section->size, outside);
  }

  for (const ProvenFunction &function : functions)
    if (!function.refusal.empty())
      doubtful.push_back(&function);
  for (auto &[begin, end] : gaps)
    suspect(file.sections()[begin.section], begin.offset, end.offset, true);
  for (auto *entrances : {&data.entrances, &found.entrances})
    for (const Entrance &entrance : *entrances)
      lead_to(entrance.address, entrance.from);
  auto lead = [this](uint64_t address, const char *what, uint64_t from) {
    lead_to(address, what, from);
  };
  data.read_relocations(lead, [this](uint64_t address) { change(address); });
  data.read_words(referred, lead);
  for (ProvenFunction &function : functions) {
    const Section &section = file.sections()[function.place.section];
    const Text &text = texts[section.index];
    uint64_t begin = function.place.offset, end = begin + function.size;
    for (uint64_t at = begin; at < end; at++) {
      Instruction instruction;
      if (text.starts[at] &&
          decoder.decode(section.bytes.data + at, end - at, instruction))
        for_each_target(section, at, instruction, [&](uint64_t address) {
          lead_to(address, "the operand of the instruction at ",
                  section.address + at);
        });
    }
  }
  for (const ProvenFunction *function : doubtful)
    suspect(file.sections()[function->place.section], function->place.offset,
            function->place.offset + function->size, unknown.count(function));
  while (!astray.empty()) {
    uint64_t address = astray.back();
    astray.pop_back();
    follow(address);
  }
  if (!outside.locks.empty())
    functions.push_back(std::move(outside));
}

} // namespace

std::vector<ProvenFunction>
uplock::prove_linked_functions(const ElfFile &file) {
  Prover prover(file);
  prover.prove();
  return std::move(prover.functions);
}
