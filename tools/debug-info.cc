// SPDX-License-Identifier: GPL-3.0-or-later

#include "debug-info.h"

#include <cstdlib>
#include <filesystem>

#include <dwarf.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace uplock;
namespace fs = std::filesystem;

namespace {

// Is all that libdwfl would open by name beside the file PATH a file? Anything
// else, such as a FIFO, may have no end. LINK is null or comes out of the file.
bool has_files_beside(const fs::path &path, const char *link) {
  fs::path name = link ? link : path.filename().string() + ".debug";
  if (name.has_parent_path())
    return false;
  for (const fs::path &other :
       {name, ".debug" / name, ".debug" / path.filename()}) {
    std::error_code error;
    fs::path there = path.parent_path() / other;
    if (fs::exists(there, error) && !fs::is_regular_file(there, error))
      return false;
  }
  return true;
}

// Finds the separate file with the debugging information as libdwfl does: by
// build ID where such files are installed, and by name.
int find_debuginfo(Dwfl_Module *module, void **data, const char *module_name,
                   Dwarf_Addr base, const char *file_name, const char *link,
                   GElf_Word checksum, char **found) {
  std::error_code error;
  auto find = has_files_beside(file_name, link) &&
                      has_files_beside(fs::canonical(file_name, error), link)
                  ? dwfl_standard_find_debuginfo
                  : dwfl_build_id_find_debuginfo;
  return find(module, data, module_name, base, file_name, link, checksum,
              found);
}

const Dwfl_Callbacks callbacks = {dwfl_build_id_find_elf, find_debuginfo,
                                  dwfl_offline_section_address, nullptr};

// libdwfl reads from descriptors, and a member of an archive has none.
int open_copy(Bytes bytes) {
  int fd = memfd_create("uplock", MFD_CLOEXEC);
  if (fd < 0)
    return -1;
  for (size_t at = 0; at < bytes.size;) {
    ssize_t written = write(fd, bytes.data + at, bytes.size - at);
    if (written <= 0) {
      close(fd);
      return -1;
    }
    at += written;
  }
  return fd;
}

std::string string_of(Dwarf_Die *die, unsigned name) {
  Dwarf_Attribute attribute;
  const char *text = dwarf_formstring(dwarf_attr(die, name, &attribute));
  return text ? text : "";
}

// Of the functions that are inlined at ADDRESS, where the outermost was called.
DebugInfo::Line outermost_call(Dwfl_Module *module, Dwarf_Addr address) {
  Dwarf_Addr bias;
  Dwarf_Die *unit = dwfl_module_addrdie(module, address, &bias);
  Dwarf_Die *innermost = nullptr, *scopes = nullptr;
  // What stands around an inlined function in the first list is where it was
  // defined; in the second, where it was inlined.
  int count = unit ? dwarf_getscopes(unit, address - bias, &innermost) : 0;
  if (count > 0)
    count = dwarf_getscopes_die(&innermost[0], &scopes);
  DebugInfo::Line line;
  Dwarf_Files *files;
  if (count > 0 && dwarf_getsrcfiles(unit, &files, nullptr))
    count = 0;
  for (int i = 0; i < count; i++) {
    if (dwarf_tag(&scopes[i]) == DW_TAG_subprogram)
      break;
    Dwarf_Attribute attribute;
    Dwarf_Word number, file;
    if (dwarf_tag(&scopes[i]) != DW_TAG_inlined_subroutine ||
        dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_line, &attribute),
                        &number) ||
        dwarf_formudata(dwarf_attr(&scopes[i], DW_AT_call_file, &attribute),
                        &file))
      continue;
    if (const char *name = dwarf_filesrc(files, file, nullptr, nullptr))
      line = {name, static_cast<int>(number)};
  }
  free(innermost);
  free(scopes);
  return line;
}

} // namespace

NothingOpens::NothingOpens() {
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit none = before;
  none.rlim_cur = 0;
  setrlimit(RLIMIT_NOFILE, &none);
}

NothingOpens::~NothingOpens() { setrlimit(RLIMIT_NOFILE, &before); }

DebugInfo::DebugInfo(const ElfFile &file) {
  int fd = open_copy(file.bytes);
  if (fd < 0)
    return;
  dwfl = dwfl_begin(&callbacks);
  if (dwfl)
    module = dwfl_report_offline(dwfl, "", file.name.c_str(), fd);
  if (!module)
    close(fd); // otherwise it is libdwfl's
  else if (!dwfl_report_end(dwfl, nullptr, nullptr))
    elf = dwfl_module_getelf(module, &bias);
}

DebugInfo::~DebugInfo() { dwfl_end(dwfl); }

// Where libdwfl believes PLACE to be: it lays the sections of a relocatable
// object out. The separate file has been opened then, if there is one.
bool DebugInfo::address_of(Place place, Dwarf_Addr &address) const {
  GElf_Shdr section;
  if (!elf || !gelf_getshdr(elf_getscn(elf, place.section), &section))
    return false;
  Dwarf_Addr ignored;
  dwfl_module_getdwarf(module, &ignored);
  address = section.sh_addr + place.offset + bias;
  return true;
}

DebugInfo::Line DebugInfo::line_of(Place place) const {
  Dwarf_Addr address;
  if (!address_of(place, address))
    return {};
  NothingOpens guard;
  if (auto call = outermost_call(module, address); call.line)
    return call;
  Dwfl_Line *found = dwfl_module_getsrc(module, address);
  int line = 0;
  const char *file =
      found ? dwfl_lineinfo(found, nullptr, &line, nullptr, nullptr, nullptr)
            : nullptr;
  if (!file)
    return {};
  return {file, line};
}

DebugInfo::Unit DebugInfo::unit_of(Place place) const {
  Dwarf_Addr address, unit_bias;
  if (!address_of(place, address))
    return {};
  NothingOpens guard;
  Dwarf_Die *die = dwfl_module_addrdie(module, address, &unit_bias);
  if (!die)
    return {};
  return {string_of(die, DW_AT_name), string_of(die, DW_AT_producer)};
}
