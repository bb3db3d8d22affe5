// SPDX-License-Identifier: MIT
//
// A module in memory, as its program headers describe it.

#ifndef UPLOCK_ELF_IMAGE_H
#define UPLOCK_ELF_IMAGE_H

#include "system-call.h"

#include <errno.h>
#include <link.h>
#include <linux/futex.h>
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

// Are SIZE bytes at ADDRESS of the file in memory, to be read?
inline bool is_loaded(const Image &image, uintptr_t address, size_t size) {
  for (const Segment &segment : image)
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_R) &&
        address >= segment.p_vaddr && size <= segment.p_filesz &&
        address - segment.p_vaddr <= segment.p_filesz - size)
      return true;
  return false;
}

inline bool equal(const void *a, const void *b, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (static_cast<const char *>(a)[i] != static_cast<const char *>(b)[i])
      return false;
  return true;
}

// Can the memory at ADDRESS be read? A futex that is not waited for (a timeout
// of 0): the kernel reads the word, and returns an error where it cannot.
inline bool is_readable(uintptr_t address) {
  struct {
    long seconds, nanoseconds;
  } at_once{};
  return system_call(__NR_futex, static_cast<long>(address), FUTEX_WAIT_PRIVATE,
                     0, as_argument(&at_once)) != -EFAULT;
}

// The module whose ELF header is in memory at HEADER, with the program headers
// in the same page; without segments if there is no such thing.
inline Image image_at(const Header *header) {
  auto address = reinterpret_cast<uintptr_t>(header);
  if (!address || address % page_size || !is_readable(address) ||
      !equal(header->e_ident, ELFMAG, SELFMAG) ||
      header->e_phentsize != sizeof(Segment) ||
      header->e_phoff + header->e_phnum * sizeof(Segment) > page_size)
    return {};
  Image image{reinterpret_cast<const Segment *>(address + header->e_phoff),
              header->e_phnum, address};
  // One that has nothing in the file may be said to be at its beginning, too.
  for (const Segment &segment : image)
    if (segment.p_type == PT_LOAD && segment.p_offset == 0 && segment.p_filesz)
      image.bias = address - segment.p_vaddr;
  return image;
}

// This module.
inline Image own_image() { return image_at(&__ehdr_start); }

} // namespace uplock

#endif
