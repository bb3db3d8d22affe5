// SPDX-License-Identifier: MIT
//
// A module in memory, as its program headers describe it.

#ifndef UPLOCK_ELF_IMAGE_H
#define UPLOCK_ELF_IMAGE_H

#include <link.h>
#include <stddef.h>
#include <stdint.h>

// Defined by every linker: this module's ELF header.
extern "C" __attribute__((visibility("hidden"))) const ElfW(Ehdr) __ehdr_start;

namespace uplock {

using Header = ElfW(Ehdr);
using Segment = ElfW(Phdr);
using Section = ElfW(Shdr);

constexpr size_t page_size = 4096;

struct Image {
  const Segment *segments = nullptr;
  size_t count = 0;
  uintptr_t bias = 0; // an address in memory minus the same in the file

  const Segment *begin() const { return segments; }
  const Segment *end() const { return segments + count; }
  const uint8_t *at(uintptr_t address) const {
    return reinterpret_cast<const uint8_t *>(bias + address);
  }
};

inline bool equal(const void *a, const void *b, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (static_cast<const char *>(a)[i] != static_cast<const char *>(b)[i])
      return false;
  return true;
}

// The module whose ELF header is in memory at HEADER.
inline Image image_at(const Header *header) {
  auto address = reinterpret_cast<uintptr_t>(header);
  Image image{reinterpret_cast<const Segment *>(address + header->e_phoff),
              header->e_phnum, address};
  for (const Segment &segment : image)
    if (segment.p_type == PT_LOAD && segment.p_offset == 0)
      image.bias = address - segment.p_vaddr;
  return image;
}

// This module.
inline Image own_image() { return image_at(&__ehdr_start); }

} // namespace uplock

#endif
