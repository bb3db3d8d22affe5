// SPDX-License-Identifier: GPL-3.0-or-later

#include "function-proof.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

using namespace uplock;

namespace {

enum class Reach { absolute, relative, symbol };

// What a relocation adds up to (System V psABI for x86-64 and for i386).
Reach reach_of(uint32_t type, bool is_x86_64) {
  if (is_x86_64)
    switch (type) {
    case R_X86_64_64:
    case R_X86_64_32:
    case R_X86_64_32S:
    case R_X86_64_GOTOFF64:
      return Reach::absolute;
    case R_X86_64_PC32:
    case R_X86_64_PC64:
    case R_X86_64_PLT32:
      return Reach::relative;
    default: // through the GOT, or thread-local
      return Reach::symbol;
    }
  switch (type) {
  case R_386_32:
  case R_386_GOTOFF:
    return Reach::absolute;
  case R_386_PC32:
  case R_386_PLT32:
    return Reach::relative;
  default:
    return Reach::symbol;
  }
}

class Prover {
public:
  explicit Prover(const ElfFile &file)
      : file(file), decoder(file.is_64_bit_code()) {}

  std::vector<ProvenFunction> functions;
  void prove();

private:
  struct Text {
    std::vector<bool> starts;
    std::vector<Relocation> relocations;
    bool is_all_code = true;
  };
  struct Target {
    Place place;
    std::string from;
    // The other reading of a relocation in data: of a jump table's entry.
    std::optional<Place> or_else;
  };

  const ElfFile &file;
  Decoder decoder;
  std::map<size_t, Text> texts; // by section
  std::vector<Target> targets;
  std::set<Place> referred; // data that code refers to

  void find_functions();
  void decode(ProvenFunction *function, size_t section, uint64_t begin,
              uint64_t end, ProvenFunction &outside);
  void read_code_relocations(size_t section, Text &text);
  void read_data_relocations(const Section &section);
  int64_t addend_of(const Section &section, const Relocation &relocation);
  bool is_start(Place place);
  void refuse(ProvenFunction *function, const std::string &why) {
    if (function && function->refusal.empty())
      function->refusal = why;
  }
};

void Prover::find_functions() {
  file.for_each_symbol([&](const Symbol &symbol) {
    if (!symbol.section)
      return;
    const Section &section = file.sections()[symbol.section];
    if (!section.is_code() || symbol.type == STT_SECTION)
      return;
    Place place{symbol.section, symbol.value};
    bool is_function = symbol.type == STT_FUNC || symbol.type == STT_GNU_IFUNC;
    if (!is_function || !symbol.size || symbol.value >= section.size) {
      targets.push_back({place, std::string("the symbol ") + symbol.name, {}});
      return;
    }
    ProvenFunction function{symbol.name, place, symbol.size, "", {}};
    if (symbol.size > section.size - symbol.value) {
      function.size = section.size - symbol.value;
      function.refusal = "its end is outside of its section";
    }
    functions.push_back(std::move(function));
  });
  std::stable_sort(functions.begin(), functions.end(), [](auto &a, auto &b) {
    return a.place == b.place ? a.size > b.size : a.place < b.place;
  });
  // Other names for the same function.
  functions.erase(std::unique(functions.begin(), functions.end(),
                              [](auto &a, auto &b) {
                                return a.place == b.place && a.size == b.size;
                              }),
                  functions.end());
  // A function in a function, or across its end: the outermost stays, refused.
  std::vector<ProvenFunction> apart;
  for (ProvenFunction &function : functions) {
    if (!apart.empty() &&
        apart.back().place.section == function.place.section &&
        function.place.offset - apart.back().place.offset < apart.back().size) {
      ProvenFunction &outer = apart.back();
      refuse(&outer, "the function " + function.name + " overlaps it");
      outer.size = std::max(outer.size, function.place.offset + function.size -
                                            outer.place.offset);
      continue;
    }
    apart.push_back(std::move(function));
  }
  functions = std::move(apart);
}

bool Prover::is_start(Place place) {
  const auto &starts = texts[place.section].starts;
  return place.offset < starts.size() && starts[place.offset];
}

// Decodes from BEGIN to END: FUNCTION, or what is in none (null).
void Prover::decode(ProvenFunction *function, size_t index, uint64_t begin,
                    uint64_t end, ProvenFunction &outside) {
  const Section &section = file.sections()[index];
  const uint8_t *bytes = section.bytes.data;
  Text &text = texts[index];
  bool is_zero = std::all_of(bytes + begin, bytes + end,
                             [](uint8_t byte) { return !byte; });
  if (!function && is_zero)
    return; // padding
  for (uint64_t at = begin; at < end;) {
    Instruction instruction;
    if (!decoder.decode(bytes + at, end - at, instruction)) {
      if (function)
        refuse(function, "the bytes at +" + std::to_string(at - begin) +
                             " are no instruction");
      else
        text.is_all_code = false;
      return;
    }
    text.starts[at] = true;
    Place place{index, at};
    Kind kind = instruction.kind();
    if (kind != Kind::plain)
      (function ? *function : outside).locks.push_back({place, kind});

    // What a relocation changes is read from the relocation.
    const auto &immediate = instruction.raw.raw.imm[0];
    if (immediate.is_relative) {
      uint64_t field = at + immediate.offset;
      auto next =
          std::lower_bound(text.relocations.begin(), text.relocations.end(),
                           field, [](auto &relocation, uint64_t offset) {
                             return relocation.offset < offset;
                           });
      bool is_relocated = false;
      for (; next != text.relocations.end() && next->offset == field; ++next)
        is_relocated |= next->type != ElfFile::none;
      if (!is_relocated)
        targets.push_back(
            {{index, at + instruction.length() +
                         static_cast<uint64_t>(immediate.value.s)},
             "the branch at " + file.describe(place),
             {}});
    }
    at += instruction.length();
  }
}

int64_t Prover::addend_of(const Section &section,
                          const Relocation &relocation) {
  if (relocation.addend)
    return *relocation.addend;
  int32_t value = 0;
  if (section.bytes.size >= sizeof value &&
      relocation.offset <= section.bytes.size - sizeof value)
    memcpy(&value, section.bytes.data + relocation.offset, sizeof value);
  return value;
}

void Prover::read_code_relocations(size_t index, Text &text) {
  const Section &section = file.sections()[index];
  for (const Relocation &relocation : text.relocations) {
    uint64_t offset = relocation.offset;
    if (relocation.type == ElfFile::none)
      continue;
    ProvenFunction *function = containing(functions, {index, offset});
    uint64_t start = std::min(offset, section.size - 1);
    while (start && !text.starts[start] &&
           offset - start < ZYDIS_MAX_INSTRUCTION_LENGTH)
      start--;
    Instruction instruction;
    if (offset >= section.size || !text.starts[start] ||
        !decoder.decode(section.bytes.data + start, section.size - start,
                        instruction) ||
        offset - start >= instruction.length()) {
      refuse(function, "a relocation at " + file.describe({index, offset}) +
                           " is in no instruction");
      continue;
    }
    // Those that only mark an instruction for the linker stand at its start.
    bool is_mark = file.is_64_bit_code()
                       ? relocation.type == R_X86_64_TLSDESC_CALL
                       : relocation.type == R_386_TLS_DESC_CALL;
    if (is_mark)
      continue;
    const auto &raw = instruction.raw.raw;
    uint64_t field = offset - start;
    bool is_operand = (raw.disp.size && field == raw.disp.offset) ||
                      (raw.imm[0].size && field == raw.imm[0].offset);
    if (!is_operand) {
      refuse(function, "a relocation changes the opcode at " +
                           file.describe({index, start}));
      continue;
    }

    auto symbol = file.symbol(relocation.symbol);
    if (!symbol || !symbol->section)
      continue;
    Place target{symbol->section, symbol->value};
    Reach reach = reach_of(relocation.type, file.is_64_bit_code());
    if (reach != Reach::symbol)
      target.offset += addend_of(section, relocation);
    if (reach == Reach::relative)
      target.offset += instruction.length() - field;
    target.offset = file.wrap(target.offset);
    if (file.sections()[target.section].is_code())
      targets.push_back(
          {target,
           "the operand of the instruction at " + file.describe({index, start}),
           {}});
    else
      referred.insert(target);
  }
}

void Prover::read_data_relocations(const Section &section) {
  for (const Relocation &relocation : file.relocations(section)) {
    auto symbol = file.symbol(relocation.symbol);
    if (relocation.type == ElfFile::none || !symbol || !symbol->section ||
        !file.sections()[symbol->section].is_code())
      continue;
    Place here{section.index, relocation.offset};
    Target target{{symbol->section, symbol->value},
                  "the relocation at " + file.describe(here),
                  {}};
    Reach reach = reach_of(relocation.type, file.is_64_bit_code());
    if (reach != Reach::symbol)
      target.place.offset =
          file.wrap(symbol->value + addend_of(section, relocation));
    if (reach == Reach::relative) {
      auto table = referred.upper_bound(here);
      if (table != referred.begin() && (--table)->section == section.index)
        target.or_else = Place{
            target.place.section,
            file.wrap(target.place.offset - (here.offset - table->offset))};
    }
    targets.push_back(target);
  }
}

void Prover::prove() {
  find_functions();
  for (const Section &section : file.sections())
    if (section.is_code()) {
      Text &text = texts[section.index];
      text.starts.resize(section.size);
      text.relocations = file.relocations(section);
    }

  ProvenFunction outside{"", {0, 0}, 0, "in no function", {}};
  auto next = functions.begin();
  for (auto &[index, text] : texts) {
    uint64_t at = 0, size = file.sections()[index].size;
    for (; next != functions.end() && next->place.section == index; ++next) {
      if (at < next->place.offset)
        decode(nullptr, index, at, next->place.offset, outside);
      at = next->place.offset + next->size;
      decode(&*next, index, next->place.offset, at, outside);
    }
    if (at < size)
      decode(nullptr, index, at, size, outside);
  }

  for (auto &[index, text] : texts)
    read_code_relocations(index, text);
  for (const Section &section : file.sections())
    if (section.flags & SHF_ALLOC && !section.is_code())
      read_data_relocations(section);
  for (const Target &target : targets) {
    if (is_start(target.place) || (target.or_else && is_start(*target.or_else)))
      continue;
    for (Place place : {target.place, target.or_else.value_or(target.place)})
      refuse(containing(functions, place),
             target.from + " leads into the middle of an instruction");
  }
  for (ProvenFunction &function : functions)
    if (!texts[function.place.section].is_all_code)
      refuse(&function, "bytes of its section that are in no function are no "
                        "instructions");
  if (!outside.locks.empty())
    functions.push_back(std::move(outside));
}

} // namespace

ProvenFunction *uplock::containing(std::vector<ProvenFunction> &functions,
                                   Place place) {
  auto next = std::upper_bound(
      functions.begin(), functions.end(), place,
      [](Place place, auto &function) { return place < function.place; });
  if (next == functions.begin())
    return nullptr;
  --next;
  return next->place.section == place.section &&
                 place.offset - next->place.offset < next->size
             ? &*next
             : nullptr;
}

std::vector<ProvenFunction> uplock::prove_functions(const ElfFile &file) {
  Prover prover(file);
  prover.prove();
  return std::move(prover.functions);
}
