// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the instructions of a file begin: all its code, decoded from one symbol
// to the next. What does not decode is stepped over byte by byte; an
// instruction that a symbol stands in the middle of does not decode.
//
// Decoding is done in pieces between two symbols, and only of the pieces that
// are asked about: to patch a file is to look at the functions that have sites.
// What is kept is a bit for each byte, an eighth of the code's size.

#ifndef UPLOCK_CODE_H
#define UPLOCK_CODE_H

#include <optional>
#include <vector>

#include "decoder.h"
#include "elf-file.h"
#include "functions.h"

namespace uplock {

// An instruction that is locked, in the bytes as they are, or an mfence.
struct Locked {
  Place place;
  Kind kind;
};

class Code {
public:
  Code(const ElfFile &file, const Functions &functions);

  // All that is locked, in order. Decodes everything.
  const std::vector<Locked> &locked();
  // How many bytes are no instruction; after `locked`.
  uint64_t undecodable() const { return bad_bytes; }

  // Where the instruction that PLACE is in begins, if it is in one.
  std::optional<Place> start_of(Place place);
  bool is_start(Place place);
  // The instruction that begins at PLACE.
  bool decode(Place place, Instruction &instruction) const;
  std::string text(Place place) const;

  const ElfFile &file;
  Decoder decoder;

private:
  struct Region {
    const Section *section;
    std::vector<uint64_t> pieces; // where each begins; at the end, the size
    std::vector<bool> is_decoded; // by piece
    std::vector<bool> starts;     // by byte
  };

  std::vector<Region> regions;
  std::vector<Locked> found;
  uint64_t bad_bytes = 0;
  bool is_complete = false;

  Region *region_of(Place place);
  void decode_piece(Region &region, size_t piece);
};

} // namespace uplock

#endif
