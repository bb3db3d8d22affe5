// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a file tells the runtime that is linked into it, if there is one: is it
// locked, as the linker made it, or did `uplock patch --up` write it? A runtime
// that finds it unlocked on a machine with several CPUs locks it again, and one
// that finds it locked does not look.

#ifndef UPLOCK_RUNTIME_NOTE_H
#define UPLOCK_RUNTIME_NOTE_H

#include <optional>

#include "elf-file.h"

namespace uplock {

struct RuntimeNote {
  uint64_t offset; // in the file (of an archive: in its member)
  bool says_up;
};

// None if FILE has no runtime. Throws Unusable if it has one of another kind.
std::optional<RuntimeNote> find_runtime_note(const ElfFile &file);

} // namespace uplock

#endif
