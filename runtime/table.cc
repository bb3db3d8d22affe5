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
// The program headers, the notes (the build ID, if there is one) and the table
// itself are in memory as well, and must be the same in the file: otherwise it
// is not the file that runs here.

#include "table.h"
#include "elf-image.h"
#include "system-call.h"

#include <fcntl.h>
#include <sys/auxv.h>

namespace uplock {
namespace {

constexpr char table_name[] = ".smp_locks";

bool read_exactly(int fd, void *buffer, size_t size, uint64_t offset) {
  return read_file_at(fd, buffer, size, offset) == static_cast<long>(size);
}

// Does FD have the SIZE bytes of MEMORY at OFFSET?
bool is_in_file(int fd, const void *memory, size_t size, uint64_t offset) {
  auto bytes = static_cast<const char *>(memory);
  while (size) {
    char buffer[4096];
    size_t part = size < sizeof buffer ? size : sizeof buffer;
    if (!read_exactly(fd, buffer, part, offset) || !equal(buffer, bytes, part))
      return false;
    bytes += part, offset += part, size -= part;
  }
  return true;
}

// Is FD the file that this module was loaded from?
bool is_own_file(int fd, const Image &image) {
  const Header &header = __ehdr_start;
  if (!is_in_file(fd, &header, sizeof header, 0) ||
      !is_in_file(fd, image.segments, image.count * sizeof(Segment),
                  header.e_phoff))
    return false;
  for (const Segment &segment : image)
    if (segment.p_type == PT_NOTE &&
        is_loaded(image, segment.p_vaddr, segment.p_filesz) &&
        !is_in_file(fd, image.at(segment.p_vaddr), segment.p_filesz,
                    segment.p_offset))
      return false;
  return true;
}

// Could SECTION be a table?
bool is_table_like(const Image &image, const Section &section) {
  return section.sh_type == SHT_PROGBITS && (section.sh_flags & SHF_ALLOC) &&
         section.sh_size && section.sh_size % sizeof(int32_t) == 0 &&
         section.sh_addr % sizeof(int32_t) == 0 &&
         is_loaded(image, section.sh_addr, section.sh_size);
}

Reason find_table_in(int fd, Table &table) {
  Image image = own_image();
  if (!is_own_file(fd, image))
    return Reason::other_file;

  const Header &header = __ehdr_start;
  Section names;
  if (!header.e_shoff || header.e_shentsize != sizeof(Section) ||
      !read_exactly(fd, &names, sizeof names,
                    header.e_shoff + header.e_shstrndx * sizeof names))
    return Reason::no_sections;

  for (size_t i = 0; i < header.e_shnum;) {
    Section sections[32];
    size_t count = header.e_shnum - i;
    if (count > sizeof sections / sizeof *sections)
      count = sizeof sections / sizeof *sections;
    if (!read_exactly(fd, sections, count * sizeof(Section),
                      header.e_shoff + i * sizeof(Section)))
      return Reason::no_sections;
    i += count;

    for (const Section *section = sections; section < sections + count;
         section++)
      if (is_table_like(image, *section) &&
          is_in_file(fd, table_name, sizeof table_name,
                     names.sh_offset + section->sh_name)) {
        table.begin =
            reinterpret_cast<const int32_t *>(image.at(section->sh_addr));
        table.end = table.begin + section->sh_size / sizeof(int32_t);
        return is_in_file(fd, table.begin, section->sh_size, section->sh_offset)
                   ? Reason::none
                   : Reason::other_file;
      }
  }
  return Reason::no_table;
}

Reason find_table_by_name(const char *path, Table &table) {
  // Without waiting, if it is a pipe or a device by now.
  int fd = open_file(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
  if (fd < 0)
    return Reason::no_file;
  Reason problem = find_table_in(fd, table);
  close_file(fd);
  return problem;
}

} // namespace

const char *executable_path() {
  auto path = reinterpret_cast<const char *>(getauxval(AT_EXECFN));
  return path ? path : "";
}

Reason find_table(const char *path, Table &table) {
  if (path)
    return find_table_by_name(path, table);
  Reason problem = find_table_by_name("/proc/self/exe", table);
  // The first thread, which self is, may have ended.
  if (problem == Reason::no_file)
    problem = find_table_by_name("/proc/thread-self/exe", table);
  // No /proc; or the loader was started by hand, and that is its file. A path
  // proves little to a program with more rights than who gave it.
  if ((problem == Reason::no_file || problem == Reason::other_file) &&
      !getauxval(AT_SECURE))
    problem = find_table_by_name(executable_path(), table);
  return problem;
}

} // namespace uplock
