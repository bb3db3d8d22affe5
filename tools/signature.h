// SPDX-License-Identifier: GPL-3.0-or-later
//
// Would changing a byte break a promise that somebody made about the file?

#ifndef UPLOCK_SIGNATURE_H
#define UPLOCK_SIGNATURE_H

#include <string>

#include "elf-file.h"

namespace uplock {

// What signs FILE, in its bytes; "" if nothing is known to. What is appended to
// an ELF file, behind all that it speaks of itself, counts: nobody here knows
// what it is.
std::string signature_in(const ElfFile &file);
// What the file system says of the file at PATH.
std::string signature_of(const std::string &path);

} // namespace uplock

#endif
