// SPDX-License-Identifier: GPL-3.0-or-later

#include "linked-functions.h"

#include <algorithm>

#include "frames.h"

using namespace uplock;

namespace {

class Finder {
public:
  explicit Finder(const ElfFile &file) : file(file) {}

  std::vector<ProvenFunction> functions;
  std::vector<Entrance> entrances;
  void find_functions();

private:
  struct Bound {
    uint64_t begin, end;
    std::string name, refusal;
  };

  const ElfFile &file;
  std::vector<Bound> bounds;

  void read_symbols(uint32_t type);
  void join_functions();
  uint64_t address_of(Place place) const {
    return file.sections()[place.section].address + place.offset;
  }
};

void Finder::read_symbols(uint32_t type) {
  for (const Section &table : file.sections()) {
    if (table.type != type)
      continue;
    Elf_Data *data =
        elf_getdata(elf_getscn(file.handle(), table.index), nullptr);
    if (!data)
      continue;
    GElf_Sym symbol;
    for (int i = 1; gelf_getsym(data, i, &symbol); i++) {
      int kind = GELF_ST_TYPE(symbol.st_info);
      if (symbol.st_shndx == SHN_UNDEF || kind == STT_TLS ||
          kind == STT_SECTION || kind == STT_FILE)
        continue;
      auto place = file.code_at(symbol.st_value);
      if (!place)
        continue;
      const char *name = elf_strptr(file.handle(), table.link, symbol.st_name);
      std::string known = name ? name : "?";
      entrances.push_back({symbol.st_value, "the symbol " + known});
      if ((kind != STT_FUNC && kind != STT_GNU_IFUNC) || !symbol.st_size)
        continue;
      Bound bound{symbol.st_value, symbol.st_value + symbol.st_size, known, ""};
      const Section &section = file.sections()[place->section];
      if (symbol.st_size > section.size - place->offset) {
        bound.end = section.address + section.size;
        bound.refusal = "its end is outside of its section";
      }
      bounds.push_back(std::move(bound));
    }
  }
}

void Finder::find_functions() {
  read_symbols(SHT_SYMTAB);
  read_symbols(SHT_DYNSYM);
  for (const Frame &frame : read_frames(file)) {
    for (uint64_t pad : frame.landing_pads)
      entrances.push_back({pad, "an exception's landing pad"});
    bounds.push_back({frame.begin, frame.end, "", frame.problem});
  }
  join_functions();
}

// One function of all bounds that share bytes, which is refused unless they are
// the same.
void Finder::join_functions() {
  std::stable_sort(bounds.begin(), bounds.end(), [](auto &a, auto &b) {
    return a.begin < b.begin || (a.begin == b.begin && a.end > b.end);
  });
  uint64_t end = 0;
  for (const Bound &bound : bounds) {
    Place place = *file.code_at(bound.begin);
    bool is_other = functions.empty() ||
                    functions.back().place.section != place.section ||
                    bound.begin >= end;
    if (is_other) {
      functions.push_back(
          {bound.name, place, bound.end - bound.begin, bound.refusal, {}});
      end = bound.end;
      continue;
    }
    ProvenFunction &function = functions.back();
    bool is_same = function.place == place && bound.end == end;
    if (function.refusal.empty())
      function.refusal = bound.refusal;
    if (!is_same && function.refusal.empty())
      function.refusal =
          "the function " +
          (bound.name.empty() ? "at " + file.describe(place) : bound.name) +
          " overlaps it";
    if (function.name.empty())
      function.name = bound.name;
    end = std::max(end, bound.end);
    function.size = end - address_of(function.place);
  }
  std::sort(functions.begin(), functions.end(),
            [](auto &a, auto &b) { return a.place < b.place; });
  for (ProvenFunction &function : functions)
    if (function.name.empty())
      function.name = file.describe(function.place);
}

} // namespace

LinkedFunctions uplock::find_linked_functions(const ElfFile &file) {
  Finder finder(file);
  finder.find_functions();
  return {std::move(finder.functions), std::move(finder.entrances)};
}
