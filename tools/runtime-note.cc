// SPDX-License-Identifier: GPL-3.0-or-later

#include "runtime-note.h"

#include <cstring>

using namespace uplock;

std::optional<RuntimeNote> uplock::find_runtime_note(const ElfFile &file) {
  // As runtime/registry.cc has it: the sizes of name and content, the type, the
  // name, the way to the runtime's data; then the mode, 0 or 1.
  constexpr uint8_t head[] = {7, 0, 0,   0,   8,   0,   0,   0,   1, 0,
                              0, 0, 'u', 'p', 'l', 'o', 'c', 'k', 0, 0};
  constexpr size_t mode = sizeof head + 4, size = mode + 4;
  for (const Section &section : file.sections()) {
    bool is_its_own = !strcmp(section.name, ".note.uplock");
    if (!is_its_own && section.type != SHT_NOTE)
      continue; // a linker script may have put all notes into one section
    const Bytes &bytes = section.bytes;
    for (size_t at = 0; at + size <= bytes.size; at += 4)
      if (!memcmp(bytes.data + at, head, sizeof head) &&
          bytes.data[at + mode] <= 1)
        return RuntimeNote{section.offset + at + mode,
                           bytes.data[at + mode] == 1};
    if (is_its_own)
      throw Unusable("section .note.uplock is not as the runtime of this "
                     "release has it: use the command that came with it");
  }
  return {};
}
