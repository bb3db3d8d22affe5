// SPDX-License-Identifier: GPL-3.0-or-later
//
// The ELF files in a file: itself, or an archive's members (ar.h; System V's
// format, which GNU ar and llvm-ar write).

#ifndef UPLOCK_ARCHIVE_H
#define UPLOCK_ARCHIVE_H

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "elf-file.h"

namespace uplock {

// NAME is what messages call the file; members are NAME(MEMBER). Members that
// are no code, such as a compiler's metadata, are passed over. Throws Unusable.
void for_each_elf(const std::string &name, Bytes bytes,
                  const std::function<void(ElfFile &)> &visit);

// The file BYTES with other content for some members, or for itself if it is no
// archive: by the offset of their old content. The index of symbols follows.
std::vector<uint8_t>
with_members(Bytes bytes,
             const std::map<uint64_t, std::vector<uint8_t>> &changed);

} // namespace uplock

#endif
