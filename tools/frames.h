// SPDX-License-Identifier: GPL-3.0-or-later
//
// The functions of a linked file as the unwinder knows them, who needs neither
// symbols nor debugging information: .eh_frame has an entry (FDE) for each
// function that an exception could pass through, on x86-64 for nearly all of
// them. What it points to in .gcc_except_table says where exceptions land.
// (Linux Standard Base, "Exception Frames"; GCC's unwind-pe.h, unwind-c.c.)

#ifndef UPLOCK_FRAMES_H
#define UPLOCK_FRAMES_H

#include <vector>

#include "elf-file.h"

namespace uplock {

// Addresses; BEGIN is in code, and END in the same section or at its end.
struct Frame {
  uint64_t begin, end;
  std::vector<uint64_t> landing_pads;
  const char *problem; // why the landing pads are not known, or ""
};

// In order of address. Entries that lead to no code are left out. Throws
// Unusable if there is an entry that cannot be read.
std::vector<Frame> read_frames(const ElfFile &file);

} // namespace uplock

#endif
