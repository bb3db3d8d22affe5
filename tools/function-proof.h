// SPDX-License-Identifier: GPL-3.0-or-later
//
// Is what looks like a locked instruction one? In a relocatable object that can
// be proven, function by function: the assembler has left all that leads into
// code from outside as symbols and relocations. A function passes if
//
//   - every byte from its start to its end is an instruction;
//   - every direct branch in its section, every symbol, and every relocation
//     that leads into it, a jump table's included, lands on the first byte of
//     an instruction;
//   - every relocation in it changes an operand, not an opcode;
//   - no other function shares only a part of it, and what its section has
//     outside of all functions is made of instructions too.
//
// An entry in a jump table is `target - table`, in a relocation `target - here
// + (here - table)`. Where the table begins is where code refers to.

#ifndef UPLOCK_FUNCTION_PROOF_H
#define UPLOCK_FUNCTION_PROOF_H

#include <set>
#include <string>
#include <vector>

#include "code.h"
#include "elf-file.h"

namespace uplock {

struct ProvenFunction {
  std::string name;
  Place place;
  uint64_t size;
  std::string refusal;       // why it does not pass; empty: it does
  std::vector<Locked> locks; // in it, as it decodes
};

// The one that PLACE is in, or null. FUNCTIONS: by place, none overlaps
// another.
ProvenFunction *containing(std::vector<ProvenFunction> &functions, Place place);

// The functions of the relocatable object FILE, by place. Locks outside of all
// functions are in one of the name "", refused.
std::vector<ProvenFunction> prove_functions(const ElfFile &file);

} // namespace uplock

#endif
