// SPDX-License-Identifier: MIT
//
// See boot-info.h. The formats: Xen's public/arch-x86/hvm/start_info.h, and the
// multiboot2 specification, 3.6.

#include "boot-info.h"
#include "serial.h"

namespace {

constexpr uint32_t pvh_magic = 0x336ec578;
constexpr uint32_t multiboot2_magic = 0x36d76289;

struct PvhInfo {
  uint32_t magic, version, flags, modules;
  uint64_t module_list, command_line, rsdp;
};

struct Tag {
  enum : uint32_t { end = 0, command_line = 1, rsdp_v1 = 14, rsdp_v2 = 15 };
  uint32_t type, size;
  // The contents follow.
};

const char *loader = "an unknown loader";
uint32_t rsdp;

constexpr unsigned line_size = 256;
char line[line_size]; // the words, each with a zero behind it
unsigned used;

void keep_line(const char *text) {
  for (bool between = true; *text && used < line_size - 1; text++) {
    bool space = *text == ' ';
    if (!space)
      line[used++] = *text;
    else if (!between)
      line[used++] = 0;
    between = space;
  }
  if (used && line[used - 1])
    line[used++] = 0;
}

template <typename T> const T *at(uint64_t address) {
  return reinterpret_cast<const T *>(static_cast<uintptr_t>(address));
}

} // namespace

void boot_info_init(uint32_t magic, uint32_t info) {
  if (magic == multiboot2_magic) {
    loader = "multiboot2";
    for (uint32_t tag = info + 8;
         at<Tag>(tag)->type != Tag::end && at<Tag>(tag)->size >= sizeof(Tag);
         tag += (at<Tag>(tag)->size + 7) & ~7u) {
      uint32_t contents = tag + sizeof(Tag);
      switch (at<Tag>(tag)->type) {
      case Tag::command_line:
        keep_line(at<char>(contents));
        break;
      case Tag::rsdp_v1:
      case Tag::rsdp_v2:
        rsdp = contents;
        break;
      }
    }
  } else if (at<PvhInfo>(info)->magic == pvh_magic) {
    loader = "PVH";
    auto pvh = at<PvhInfo>(info);
    if (pvh->command_line)
      keep_line(at<char>(pvh->command_line));
    rsdp = static_cast<uint32_t>(pvh->rsdp);
  }
}

const char *boot_loader() { return loader; }
uint32_t boot_rsdp() { return rsdp; }

bool equal(const char *a, const char *b) {
  while (*a && *a == *b)
    a++, b++;
  return *a == *b;
}

void for_each_word(void (*what)(const char *word)) {
  for (unsigned i = 0; i < used; i++)
    if (i == 0 || !line[i - 1])
      what(line + i);
}

bool has_word(const char *word) {
  for (unsigned i = 0; i < used; i++)
    if ((i == 0 || !line[i - 1]) && equal(line + i, word))
      return true;
  return false;
}
