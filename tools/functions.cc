// SPDX-License-Identifier: GPL-3.0-or-later

#include "functions.h"

#include <algorithm>
#include <csetjmp>
#include <cstring>
#include <tuple>

#define HAVE_DECL_BASENAME 1 // otherwise it declares the C library's anew
#include <libiberty/demangle.h>

#include "frames.h"

using namespace uplock;

Functions::Functions(const ElfFile &file)
    : file(file), is_complete(file.has_all_symbols()) {
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
  sort();
  if (!is_complete && !file.is_relocatable())
    add_frames();
}

void Functions::sort() {
  // Of several names for one place the last is found: a function's with the
  // greatest size.
  std::sort(functions.begin(), functions.end(), [](auto &a, auto &b) {
    return std::make_tuple(a.place.section, a.place.offset, a.is_function,
                           a.size) < std::make_tuple(b.place.section,
                                                     b.place.offset,
                                                     b.is_function, b.size);
  });
}

void Functions::add_frames() {
  std::vector<Frame> frames;
  try {
    frames = read_frames(file);
  } catch (const Unusable &) {
    return; // only names are missing then
  }
  std::vector<Function> unnamed;
  for (const Frame &frame : frames) {
    Place place = *file.code_at(frame.begin);
    const Function *known = containing(place);
    if (known && known->is_function && known->size)
      continue;
    unnamed.push_back({place, frame.end - frame.begin, nullptr, true});
  }
  functions.insert(functions.end(), unnamed.begin(), unnamed.end());
  sort();
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
  if (!function)
    return "?";
  return function->name ? function->name : file.describe(function->place);
}

namespace {

struct Output {
  std::string text;
  jmp_buf too_long;
};

// A name of a hundred letters can stand for gigabytes: each part of it may say
// "twice what came before". So abi::__cxa_demangle, which returns all of it, is
// of no use; libiberty hands its output out in pieces, and allocates nothing.
constexpr size_t longest_name = 1 << 16;

void append(const char *piece, size_t size, void *to) {
  auto output = static_cast<Output *>(to);
  if (output->text.size() + size > longest_name)
    longjmp(output->too_long, 1);
  output->text.append(piece, size);
}

bool demangle_stem(const char *stem, Output &output) {
  return !setjmp(output.too_long) &&
         (rust_demangle_callback(stem, DMGL_PARAMS, append, &output) ||
          cplus_demangle_v3_callback(stem, DMGL_PARAMS | DMGL_ANSI, append,
                                     &output));
}

} // namespace

std::string uplock::demangle(const std::string &name) {
  if (name.compare(0, 2, "_Z") && name.compare(0, 2, "_R"))
    return name; // C's `f` would be C++'s type float
  // Without the suffixes that GCC appends: `.cold`, `.constprop.0`.
  size_t dot = name.find('.');
  std::string stem = name.substr(0, dot);
  Output output;
  if (!demangle_stem(stem.c_str(), output))
    return name;
  if (dot != std::string::npos)
    output.text += " [" + name.substr(dot + 1) + "]";
  return output.text;
}
