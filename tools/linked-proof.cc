// SPDX-License-Identifier: GPL-3.0-or-later
//
// Why it is enough to look at starts. Say that a function passes, and that
// control is at the first byte of one of its instructions: then it comes to the
// next one, or to where a branch leads, which has been looked at, or to an
// address that was computed or loaded: from pointers and tables, which have
// been looked at too. So it never comes to the second byte of an instruction,
// and what was decoded is what runs.
//
// A word in data is read in every way that would lead into code. Some of them
// are numbers: then a function is refused without need.

#include "linked-proof.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include "linked-functions.h"

using namespace uplock;

namespace {

constexpr uint32_t relr = 19; // SHT_RELR, which libelf may not know yet
constexpr uint32_t android_rel = 0x60000001, android_rela = 0x60000002;

std::string hex(uint64_t value) {
  char text[32];
  snprintf(text, sizeof text, "0x%llx", static_cast<unsigned long long>(value));
  return text;
}

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

class Prover {
public:
  explicit Prover(const ElfFile &file)
      : file(file), decoder(file.is_64_bit_code()) {
    GElf_Ehdr header;
    if (!gelf_getehdr(file.handle(), &header))
      throw Unusable("its header: truncated or damaged");
    is_at_fixed_address = header.e_type == ET_EXEC;
    entry = header.e_entry;
    word = header.e_ident[EI_CLASS] == ELFCLASS64 ? 8 : 4;
  }

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
  bool is_at_fixed_address;
  uint64_t entry;
  size_t word; // the size of a pointer
  std::map<size_t, Text> texts;
  std::vector<uint64_t> global_offset_tables;
  // Addresses of data that code refers to.
  std::set<uint64_t> referred;
  std::vector<std::pair<Place, Place>> gaps; // between functions

  std::vector<Entrance> entrances;

  void read_dynamic();
  void decode(ProvenFunction &function);
  void decode_gap(size_t section, uint64_t begin, uint64_t end,
                  ProvenFunction &outside);
  bool is_padding(const Section &section, uint64_t begin, uint64_t end);
  template <typename Visit>
  void for_each_target(const Section &section, uint64_t at,
                       const Instruction &instruction, Visit visit);
  void read_relocations();
  void read_packed_relocations(const Section &section);
  void read_data(const Section &section);
  void suspect(const Section &section, uint64_t begin, uint64_t end);

  bool is_inside(Place place, const ProvenFunction &this_one);
  std::optional<uint64_t> load(uint64_t address, size_t size) const;
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
  // Where control may be in the middle of an instruction, to be followed.
  std::vector<uint64_t> astray;
  std::set<uint64_t> seen_astray;
  void follow(uint64_t address);
};

// Where the global offset table is, and functions that only .dynamic names.
void Prover::read_dynamic() {
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
}

ProvenFunction *Prover::is_misled(uint64_t address) {
  auto place = file.code_at(address);
  if (!place)
    return nullptr;
  const Text &text = texts[place->section];
  if (text.starts[place->offset] || !text.in_function[place->offset])
    return nullptr;
  return containing(functions, *place);
}

std::optional<uint64_t> Prover::load(uint64_t address, size_t size) const {
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
    else if (immediate.size >= 32 && is_at_fixed_address)
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
  if (is_at_fixed_address)
    visit(file.wrap(static_cast<uint64_t>(raw.disp.value)));
  if (!file.is_64_bit_code())
    for (uint64_t table : global_offset_tables)
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
  bool jumps = false, refers_to_code = false;
  for (uint64_t at = begin; at < end;) {
    Instruction instruction;
    if (!decoder.decode(section.bytes.data + at, end - at, instruction)) {
      if (function.refusal.empty())
        function.refusal = "the bytes at +" + std::to_string(at - begin) +
                           " are no instruction";
      return;
    }
    text.starts[at] = true;
    Place place{section.index, at};
    Kind kind = instruction.kind();
    if (kind != Kind::plain)
      function.locks.push_back({place, kind});
    bool is_branch = instruction.raw.raw.imm[0].is_relative;
    jumps |=
        instruction.raw.meta.category == ZYDIS_CATEGORY_UNCOND_BR && !is_branch;
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
  // as it likes, and some of them name nowhere.
  if (jumps && !file.is_64_bit_code() && function.refusal.empty())
    function.refusal = "it may jump by a table, which is not followed in "
                       "32-bit code";
  if (jumps && refers_to_code && function.refusal.empty())
    function.refusal = "it may compute a jump from a place in the code";
}

// Nops and what fills up with zeros or traps.
bool Prover::is_padding(const Section &section, uint64_t begin, uint64_t end) {
  const uint8_t *bytes = section.bytes.data;
  if (std::all_of(bytes + begin, bytes + end,
                  [](uint8_t byte) { return !byte; }))
    return true;
  for (uint64_t at = begin; at < end;) {
    Instruction instruction;
    if (!decoder.decode(bytes + at, end - at, instruction))
      return false;
    switch (instruction.raw.mnemonic) {
    case ZYDIS_MNEMONIC_NOP:
    case ZYDIS_MNEMONIC_INT3:
      break;
    default:
      return false;
    }
    at += instruction.length();
  }
  return true;
}

void Prover::decode_gap(size_t index, uint64_t begin, uint64_t end,
                        ProvenFunction &outside) {
  const Section &section = file.sections()[index];
  if (begin == end || is_padding(section, begin, end))
    return;
  gaps.push_back({{index, begin}, {index, end}});
  for (uint64_t at = begin; at < end;) {
    Instruction instruction;
    if (!decoder.decode(section.bytes.data + at, end - at, instruction)) {
      at++;
      continue;
    }
    Kind kind = instruction.kind();
    if (kind != Kind::plain)
      outside.locks.push_back({{index, at}, kind});
    at += instruction.length();
  }
}

// The dynamic loader writes a word at ADDRESS.
void Prover::change(uint64_t address) {
  for (uint64_t byte : {address, address + word - 1})
    if (auto place = file.code_at(byte))
      if (ProvenFunction *function = containing(functions, *place))
        if (changed.insert(function).second) {
          if (function->refusal.empty())
            function->refusal = "the dynamic loader changes its code";
          doubtful.push_back(function);
        }
}

void Prover::read_packed_relocations(const Section &section) {
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

void Prover::read_relocations() {
  for (const Section &section : file.sections()) {
    if (!(section.flags & SHF_ALLOC))
      continue;
    if (section.type == android_rel || section.type == android_rela)
      throw Unusable(std::string("section ") + section.name +
                     ": relocations of a kind that is not known");
    if (section.type == relr)
      read_packed_relocations(section);
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
    GElf_Sym symbol;
    if (relocation.symbol && symbols &&
        gelf_getsym(symbols, relocation.symbol, &symbol))
      value += symbol.st_value;
    lead_to(value, "the relocation at ", relocation.offset);
    change(relocation.offset);
  }
}

// What stands in data, word for word.
void Prover::read_data(const Section &section) {
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

// What may be there, from any byte on.
void Prover::suspect(const Section &section, uint64_t begin, uint64_t end) {
  for (uint64_t at = begin; at < end; at++) {
    Instruction instruction;
    if (!decoder.decode(section.bytes.data + at, end - at, instruction))
      continue;
    for_each_target(section, at, instruction, [&](uint64_t address) {
      if (is_misled(address))
        lead_to(address, "what may be a branch at " +
                             hex(section.address + at) +
                             ", among what is not proven,");
    });
  }
}

// What runs once control is at ADDRESS, until it is at an instruction that was
// decoded: from there on nothing is new.
void Prover::follow(uint64_t address) {
  Place place = *file.code_at(address);
  const Section &section = file.sections()[place.section];
  const Text &text = texts[place.section];
  uint64_t at = place.offset;
  do {
    Instruction instruction;
    if (!decoder.decode(section.bytes.data + at, section.size - at,
                        instruction))
      return;
    uint64_t here = section.address + at;
    for_each_target(section, at, instruction, [&](uint64_t target) {
      lead_to(target, "what may be run at ", here);
    });
    if (!instruction.falls_through())
      return;
    at += instruction.length();
    lead_to(section.address + at, "what may be run at ", here);
  } while (at < section.size && !text.in_function[at]);
}

void Prover::prove() {
  for (const Section &section : file.sections()) {
    if (section.is_code())
      texts[section.index] = {&section, std::vector<bool>(section.size),
                              std::vector<bool>(section.size)};
  }
  read_dynamic();
  LinkedFunctions found = find_linked_functions(file);
  functions = std::move(found.functions);
  entrances.insert(entrances.end(), found.entrances.begin(),
                   found.entrances.end());
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
    suspect(file.sections()[begin.section], begin.offset, end.offset);
  lead_to(entry, "the entry point");
  for (const Entrance &entrance : entrances)
    lead_to(entrance.address, entrance.from);
  read_relocations();
  for (const Section &section : file.sections())
    if (holds_words(section))
      read_data(section);
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
            function->place.offset + function->size);
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
