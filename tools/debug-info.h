// SPDX-License-Identifier: GPL-3.0-or-later
//
// Source lines and compile units, through libdwfl: from the file itself or from
// the separate file with its debugging information, if one is installed.

#ifndef UPLOCK_DEBUG_INFO_H
#define UPLOCK_DEBUG_INFO_H

#include <map>
#include <string>
#include <utility>

#include <elfutils/libdwfl.h>
#include <sys/resource.h>

#include "elf-file.h"

namespace uplock {

// Debugging information may name a file that has some of its strings, and libdw
// opens that whatever it is: a device, or a FIFO, which may have no end. While
// this lives nothing can be opened.
class NothingOpens {
public:
  NothingOpens();
  ~NothingOpens();
  NothingOpens(const NothingOpens &) = delete;
  NothingOpens &operator=(const NothingOpens &) = delete;

private:
  rlimit before;
};

class DebugInfo {
public:
  // Empty if there is none.
  explicit DebugInfo(const ElfFile &file);
  ~DebugInfo();
  DebugInfo(const DebugInfo &) = delete;
  DebugInfo &operator=(const DebugInfo &) = delete;

  struct Line {
    std::string file; // empty: not known
    int line = 0;
  };
  // The line in the function that PLACE is in: not in what was inlined there.
  Line line_of(Place place) const;

  // What was compiled at once.
  struct Unit {
    std::string name;     // of its source; empty: not known
    std::string producer; // the compiler, and its flags if it recorded them
  };
  Unit unit_of(Place place) const;

  // Where functions were called that are inlined from an address on.
  using Calls = std::map<Dwarf_Addr, std::pair<const char *, int>>;

private:
  Dwfl *dwfl = nullptr;
  Dwfl_Module *module = nullptr;
  Elf *elf = nullptr;
  GElf_Addr bias = 0;

  // By unit; and how many more ranges will be read, of which a file has no more
  // than bytes.
  mutable std::map<const void *, Calls> calls;
  mutable size_t unread;

  Line outermost_call(Dwarf_Addr address) const;
  bool address_of(Place place, Dwarf_Addr &address) const;
};

} // namespace uplock

#endif
