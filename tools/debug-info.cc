// SPDX-License-Identifier: GPL-3.0-or-later

#include "debug-info.h"

#include <algorithm>
#include <filesystem>
#include <functional>
#include <set>

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

// Code that was inlined: where it was called, and the bounds of its ranges.
struct Inlined {
  struct Bound {
    Dwarf_Addr address;
    bool is_begin;
    size_t call;
  };
  std::vector<std::pair<const char *, int>> lines;
  std::vector<Bound> bounds;
};

// What may be nested in a unit, as deep as programs do it. libdw's own search
// for scopes recurses as deep as any file wants, and begins anew for each
// address.
constexpr size_t deepest = 100;

// Finds the calls in UNIT of which none is in another, in order. Each DIE is
// visited once, and no more than UNREAD ranges are read.
Inlined read_calls(Dwarf_Die *unit, size_t &unread) {
  Inlined calls;
  Dwarf_Files *files;
  Dwarf_Die die;
  if (dwarf_getsrcfiles(unit, &files, nullptr) || dwarf_child(unit, &die))
    return calls;
  std::vector<Dwarf_Die> parents;
  const void *last = unit->addr;
  while (std::less<>()(last, die.addr)) {
    last = die.addr;
    Dwarf_Attribute attribute;
    Dwarf_Word line, file;
    const char *name = nullptr;
    if (dwarf_tag(&die) == DW_TAG_inlined_subroutine &&
        !dwarf_formudata(dwarf_attr(&die, DW_AT_call_line, &attribute),
                         &line) &&
        !dwarf_formudata(dwarf_attr(&die, DW_AT_call_file, &attribute), &file))
      name = dwarf_filesrc(files, file, nullptr, nullptr);
    if (name) {
      size_t call = calls.lines.size();
      calls.lines.emplace_back(name, line);
      Dwarf_Addr base, begin, end;
      for (ptrdiff_t at = 0;
           (at = dwarf_ranges(&die, at, &base, &begin, &end)) > 0; unread--) {
        if (!unread)
          return calls;
        if (begin >= end)
          continue;
        calls.bounds.push_back({begin, true, call});
        calls.bounds.push_back({end, false, call});
      }
    }
    Dwarf_Die child;
    if (!name && parents.size() < deepest && !dwarf_child(&die, &child)) {
      parents.push_back(die);
      die = child;
      continue;
    }
    while (int result = dwarf_siblingof(&die, &die)) {
      if (result < 0 || parents.empty())
        return calls;
      die = parents.back();
      parents.pop_back();
    }
  }
  return calls;
}

// Which call there is from an address on, the first of several; null: none.
DebugInfo::Calls in_order(Inlined calls) {
  std::sort(calls.bounds.begin(), calls.bounds.end(),
            [](auto &a, auto &b) { return a.address < b.address; });
  DebugInfo::Calls result;
  std::multiset<size_t> open;
  for (const Inlined::Bound &bound : calls.bounds) {
    if (bound.is_begin)
      open.insert(bound.call);
    else
      open.erase(open.find(bound.call));
    result[bound.address] =
        open.empty() ? std::make_pair(nullptr, 0) : calls.lines[*open.begin()];
  }
  return result;
}

} // namespace

NothingOpens::NothingOpens() {
  getrlimit(RLIMIT_NOFILE, &before);
  rlimit none = before;
  none.rlim_cur = 0;
  setrlimit(RLIMIT_NOFILE, &none);
}

NothingOpens::~NothingOpens() { setrlimit(RLIMIT_NOFILE, &before); }

DebugInfo::DebugInfo(const ElfFile &file) : unread(file.bytes.size) {
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

// Of the functions that are inlined at ADDRESS, where the outermost was called.
DebugInfo::Line DebugInfo::outermost_call(Dwarf_Addr address) const {
  Dwarf_Addr unit_bias;
  Dwarf_Die *unit = dwfl_module_addrdie(module, address, &unit_bias);
  if (!unit)
    return {};
  auto [found, is_new] = calls.try_emplace(unit->addr);
  if (is_new)
    found->second = in_order(read_calls(unit, unread));
  auto next = found->second.upper_bound(address - unit_bias);
  if (next == found->second.begin() || !(--next)->second.first)
    return {};
  return {next->second.first, next->second.second};
}

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
  if (Line call = outermost_call(address); call.line)
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
