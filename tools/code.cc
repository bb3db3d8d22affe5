// SPDX-License-Identifier: GPL-3.0-or-later

#include "code.h"

#include <algorithm>

using namespace uplock;

Code::Code(const ElfFile &file, const Functions &functions)
    : file(file), decoder(file.is_64_bit_code()) {
  auto next = functions.all().begin(), end = functions.all().end();
  for (const Section &section : file.sections()) {
    if (!section.is_code())
      continue;
    Region region{&section, {0}, {}, {}};
    for (; next != end && next->place.section <= section.index; ++next)
      if (next->place.section == section.index &&
          next->place.offset != region.pieces.back())
        region.pieces.push_back(next->place.offset);
    region.is_decoded.resize(region.pieces.size());
    region.pieces.push_back(section.size);
    region.starts.resize(section.size);
    regions.push_back(std::move(region));
  }
}

void Code::decode_piece(Region &region, size_t piece) {
  if (region.is_decoded[piece])
    return;
  region.is_decoded[piece] = true;
  const uint8_t *bytes = region.section->bytes.data;
  uint64_t at = region.pieces[piece], end = region.pieces[piece + 1];
  while (at < end) {
    Decoder::Measure measure = decoder.measure(bytes + at, end - at);
    if (!measure.length) {
      if (std::all_of(bytes + at, bytes + end,
                      [](uint8_t byte) { return !byte; }))
        return; // padding: an odd number of zeros
      bad_bytes++;
      at++;
      continue;
    }
    region.starts[at] = true;
    Instruction instruction;
    if (measure.may_lock &&
        decoder.decode(bytes + at, measure.length, instruction)) {
      Kind kind = instruction.kind();
      if (kind != Kind::plain)
        found.push_back({{region.section->index, at}, kind});
    }
    at += measure.length;
  }
}

const std::vector<Locked> &Code::locked() {
  if (is_complete)
    return found;
  for (Region &region : regions)
    for (size_t piece = 0; piece < region.is_decoded.size(); piece++)
      decode_piece(region, piece);
  std::sort(found.begin(), found.end(),
            [](auto &a, auto &b) { return a.place < b.place; });
  is_complete = true;
  return found;
}

Code::Region *Code::region_of(Place place) {
  auto region = std::lower_bound(
      regions.begin(), regions.end(), place.section,
      [](auto &region, size_t index) { return region.section->index < index; });
  if (region == regions.end() || region->section->index != place.section ||
      place.offset >= region->section->size)
    return nullptr;
  return &*region;
}

std::optional<Place> Code::start_of(Place place) {
  Region *region = region_of(place);
  if (!region)
    return {};
  size_t piece = std::upper_bound(region->pieces.begin(), region->pieces.end(),
                                  place.offset) -
                 region->pieces.begin() - 1;
  decode_piece(*region, piece);
  uint64_t start = place.offset, begin = region->pieces[piece];
  while (!region->starts[start]) {
    if (start == begin || place.offset - start >= ZYDIS_MAX_INSTRUCTION_LENGTH)
      return {};
    start--;
  }
  const uint8_t *bytes = region->section->bytes.data;
  uint64_t length =
      decoder.measure(bytes + start, region->pieces[piece + 1] - start).length;
  if (place.offset - start >= length)
    return {};
  return Place{place.section, start};
}

bool Code::is_start(Place place) {
  auto start = start_of(place);
  return start && *start == place;
}

bool Code::decode(Place place, Instruction &instruction) const {
  const Section &section = file.sections()[place.section];
  return decoder.decode(section.bytes.data + place.offset,
                        section.bytes.size - place.offset, instruction);
}

std::string Code::text(Place place) const {
  Instruction instruction;
  if (!decode(place, instruction))
    return "?";
  // What is relative to an address is shown so where there is none yet.
  uint64_t address = ZYDIS_RUNTIME_ADDRESS_NONE;
  if (!file.is_relocatable())
    address = file.sections()[place.section].address + place.offset;
  return decoder.text(instruction, address);
}
