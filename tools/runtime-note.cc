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
    if (strcmp(section.name, ".note.uplock") != 0)
      continue;
    const Bytes &bytes = section.bytes;
    if (bytes.size < size || memcmp(bytes.data, head, sizeof head) != 0 ||
        bytes.data[mode] > 1)
      throw Unusable("section .note.uplock is not as the runtime of this "
                     "release has it: use the command that came with it");
    return RuntimeNote{section.offset + mode, bytes.data[mode] == 1};
  }
  return {};
}
