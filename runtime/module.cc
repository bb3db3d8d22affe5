// SPDX-License-Identifier: MIT
//
// Finding the module's own table.
//
// A kernel's linker script puts symbols around .smp_locks. A program is linked
// by whatever linker its user has, with its default script, and only a section
// whose name is a C identifier gets such symbols by itself; .smp_locks is not
// one. -Wl,-T and INSERT would do it in two linkers of four. What every linker
// leaves in the file are the section headers, so they are read from it, once,
// and only when there is something to patch.
//
// The program headers are in memory, behind __ehdr_start, which all linkers
// define. They tell where the text is, and the copy in the file must equal
// them: otherwise the file is not what runs here.

#include "module.h"
#include "system-call.h"

#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>

#ifdef __x86_64__
using Header = Elf64_Ehdr;
using Segment = Elf64_Phdr;
using Section = Elf64_Shdr;
#else
using Header = Elf32_Ehdr;
using Segment = Elf32_Phdr;
using Section = Elf32_Shdr;
#endif

extern "C" __attribute__((visibility("hidden"))) const Header __ehdr_start;

namespace uplock {
namespace {

const uint8_t *image() {
  return reinterpret_cast<const uint8_t *>(&__ehdr_start);
}

const Segment *segments() {
  return reinterpret_cast<const Segment *>(image() + __ehdr_start.e_phoff);
}

// The difference between an address in memory and one in the file.
uintptr_t load_bias() {
  for (int i = 0; i < __ehdr_start.e_phnum; i++)
    if (segments()[i].p_type == PT_LOAD && segments()[i].p_offset == 0)
      return reinterpret_cast<uintptr_t>(image()) - segments()[i].p_vaddr;
  return reinterpret_cast<uintptr_t>(image());
}

// The loaded segment with all of [address, address + size), both as in the
// file, and all of FLAGS; null if there is none.
const Segment *containing_segment(uint64_t address, uint64_t size,
                                  uint32_t flags) {
  for (int i = 0; i < __ehdr_start.e_phnum; i++) {
    const Segment &segment = segments()[i];
    if (segment.p_type == PT_LOAD && (segment.p_flags & flags) == flags &&
        address >= segment.p_vaddr && size <= segment.p_filesz &&
        address - segment.p_vaddr <= segment.p_filesz - size)
      return &segment;
  }
  return nullptr;
}

// The largest executable segment.
const Segment *text_segment() {
  const Segment *text = nullptr;
  for (int i = 0; i < __ehdr_start.e_phnum; i++) {
    const Segment &segment = segments()[i];
    if (segment.p_type == PT_LOAD && (segment.p_flags & PF_X) &&
        (!text || segment.p_memsz > text->p_memsz))
      text = &segment;
  }
  return text;
}

bool equal(const void *a, const void *b, size_t size) {
  for (size_t i = 0; i < size; i++)
    if (static_cast<const char *>(a)[i] != static_cast<const char *>(b)[i])
      return false;
  return true;
}

bool read_exactly(int fd, void *buffer, size_t size, uint64_t offset) {
  return read_file_at(fd, buffer, size, offset) == static_cast<long>(size);
}

// Is FD the file that this module was loaded from? Also says where its section
// headers are.
bool is_own_file(int fd, Header &header) {
  if (!read_exactly(fd, &header, sizeof header, 0) ||
      !equal(&header, &__ehdr_start, sizeof header))
    return false;
  for (int i = 0; i < header.e_phnum; i++) {
    Segment segment;
    if (!read_exactly(fd, &segment, sizeof segment,
                      header.e_phoff + i * sizeof segment) ||
        !equal(&segment, &segments()[i], sizeof segment))
      return false;
  }
  return true;
}

constexpr char table_name[] = ".smp_locks";

// Could SECTION be a table that is in memory?
bool is_table_like(const Section &section) {
  return section.sh_type == SHT_PROGBITS && (section.sh_flags & SHF_ALLOC) &&
         section.sh_size && section.sh_size % sizeof(int32_t) == 0 &&
         section.sh_addr % sizeof(int32_t) == 0 &&
         containing_segment(section.sh_addr, section.sh_size, PF_R);
}

const char *find_table(int fd, Module &module) {
  Header header;
  if (!is_own_file(fd, header))
    return "/proc/self/exe is another file";
  Section names;
  if (!header.e_shoff || header.e_shentsize != sizeof(Section) ||
      !read_exactly(fd, &names, sizeof names,
                    header.e_shoff + header.e_shstrndx * sizeof names))
    return "the file has no section headers";

  for (int i = 0; i < header.e_shnum; i++) {
    Section section;
    char name[sizeof table_name];
    if (!read_exactly(fd, &section, sizeof section,
                      header.e_shoff + i * sizeof section))
      return "the file's section headers are cut off";
    if (is_table_like(section) &&
        read_exactly(fd, name, sizeof name,
                     names.sh_offset + section.sh_name) &&
        equal(name, table_name, sizeof name)) {
      auto table =
          reinterpret_cast<const uint8_t *>(load_bias()) + section.sh_addr;
      module.table = reinterpret_cast<const int32_t *>(table);
      module.table_end =
          reinterpret_cast<const int32_t *>(table + section.sh_size);
      return nullptr;
    }
  }
  return "no .smp_locks in the file";
}

} // namespace

const char *find_own_module(Module &module) {
  const Segment *text = text_segment();
  if (!text)
    return "no executable segment";
  module.text = reinterpret_cast<const uint8_t *>(load_bias()) + text->p_vaddr;
  module.text_end = module.text + text->p_memsz;
  module.protection = (text->p_flags & PF_R ? PROT_READ : 0) |
                      (text->p_flags & PF_W ? PROT_WRITE : 0) | PROT_EXEC;

  int fd = open_file("/proc/self/exe", O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return "/proc/self/exe cannot be opened";
  const char *problem = find_table(fd, module);
  close_file(fd);
  return problem;
}

} // namespace uplock
