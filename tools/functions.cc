// SPDX-License-Identifier: GPL-3.0-or-later

#include "functions.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <tuple>

#include <cxxabi.h>

using namespace uplock;

Functions::Functions(const ElfFile &file)
    : is_complete(file.has_all_symbols()) {
  file.for_each_symbol([&](const Symbol &symbol) {
    if (!symbol.section || !symbol.name[0])
      return;
    bool is_function = symbol.type == STT_FUNC || symbol.type == STT_GNU_IFUNC;
    // The assembler keeps local labels that relocations of some kinds name.
    bool is_label =
        symbol.type == STT_NOTYPE && strncmp(symbol.name, ".L", 2) != 0;
    const Section &section = file.sections()[symbol.section];
    if (!(is_function || is_label) || !section.is_code())
      return;
    uint64_t offset = symbol.value;
    if (!file.is_relocatable())
      offset -= section.address;
    if (offset >= section.size)
      return; // the end of something
    functions.push_back({{section.index, offset},
                         std::min(symbol.size, section.size - offset),
                         symbol.name,
                         is_function});
  });
  // Of several names for one place the last is found: a function's with the
  // greatest size.
  std::sort(functions.begin(), functions.end(), [](auto &a, auto &b) {
    return std::make_tuple(a.place.section, a.place.offset, a.is_function,
                           a.size) < std::make_tuple(b.place.section,
                                                     b.place.offset,
                                                     b.is_function, b.size);
  });
}

const Function *Functions::containing(Place place) const {
  auto next = std::upper_bound(
      functions.begin(), functions.end(), place,
      [](Place place, const Function &other) { return place < other.place; });
  // Labels may stand inside of a function: look a little further back for it.
  constexpr int far_enough = 64;
  const Function *label = nullptr;
  for (int i = 0; i < far_enough && next != functions.begin(); i++) {
    --next;
    if (next->place.section != place.section)
      break;
    if (next->is_function && place.offset - next->place.offset < next->size)
      return &*next;
    if (!label && (!next->size || is_complete))
      label = &*next;
  }
  return label;
}

std::string Functions::name_at(Place place) const {
  const Function *function = containing(place);
  return function ? function->name : "?";
}

std::string uplock::demangle(const std::string &name) {
  if (name.compare(0, 2, "_Z"))
    return name; // C's `f` would be C++'s type float
  // Without the suffixes that GCC appends: `.cold`, `.constprop.0`.
  size_t dot = name.find('.');
  std::string stem = name.substr(0, dot);
  int status;
  char *text = abi::__cxa_demangle(stem.c_str(), nullptr, nullptr, &status);
  if (status)
    return name;
  std::string demangled = text;
  free(text);
  if (dot != std::string::npos)
    demangled += " [" + name.substr(dot + 1) + "]";
  return demangled;
}
