// SPDX-License-Identifier: GPL-3.0-or-later
//
// Writes a changed copy of a file, in its own place or in another, whole or not
// at all: into a temporary file of the same directory, synchronised, renamed. A
// program that runs from the old one goes on to do so.

#ifndef UPLOCK_REPLACEMENT_H
#define UPLOCK_REPLACEMENT_H

#include <string>
#include <vector>

#include "elf-file.h"

namespace uplock {

struct Change {
  uint64_t offset; // in the file
  uint8_t value;
};

struct Replacement {
  // Empty: the file itself (where a symbolic link leads).
  std::string destination;
  // The time of the last change stays what it was.
  bool keeps_time = false;
};

// Writes CONTENT with CHANGES as a new version of the file IMAGE. In its own
// place it keeps the mode, the owner and all extended attributes, in another
// the mode, as cp has it. Throws Unusable, and then nothing is changed.
void replace(const Image &image, Bytes content,
             const std::vector<Change> &changes, const Replacement &how);

} // namespace uplock

#endif
