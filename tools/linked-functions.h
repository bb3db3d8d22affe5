// SPDX-License-Identifier: GPL-3.0-or-later
//
// Where the functions of a linked file are: by .symtab, .dynsym and .eh_frame,
// each of which may lack what another has; and what these say leads into code.

#ifndef UPLOCK_LINKED_FUNCTIONS_H
#define UPLOCK_LINKED_FUNCTIONS_H

#include <string>
#include <vector>

#include "function-proof.h"

namespace uplock {

struct Entrance {
  uint64_t address;
  std::string from; // "the symbol main"
};

struct LinkedFunctions {
  // By place, none sharing bytes with another; not decoded yet. One without a
  // symbol has its address for a name.
  std::vector<ProvenFunction> functions;
  std::vector<Entrance> entrances;
};

LinkedFunctions find_linked_functions(const ElfFile &file);

} // namespace uplock

#endif
