// SPDX-License-Identifier: GPL-3.0-or-later
//
// Is what looks like a locked instruction one? In a linked file: most of the
// relocations that function-proof.h goes by are gone. What they said is looked
// for in the bytes, and more is believed to lead into code than does. A
// function is what a symbol or an entry of .eh_frame bounds. It passes if
//
//   - every byte from its start to its end is an instruction, and none is
//     changed by the dynamic loader;
//   - every direct branch and every instruction-relative operand in
//     functions, every symbol, dynamic relocation, landing pad of an
//     exception, and every word of the data that would be an entry of a jump
//     table, or a pointer, and leads into it, leads to the first byte of an
//     instruction;
//   - the same holds for what would run if control came into the middle of
//     another function's instruction in one of these ways, and for what begins
//     at any byte at all of code of which it is not known what its instructions
//     are: that does not decode, or is in no function. Neither does it go on
//     over the function's first byte;
//   - it does not both refer to a place inside of code and jump to a computed
//     address (hand-written loops, tables among the code, computed gotos);
//   - in 32-bit code, it does not jump to an address in a register at all: what
//     jump tables are relative to is not known there;
//   - no other function shares only a part of it.

#ifndef UPLOCK_LINKED_PROOF_H
#define UPLOCK_LINKED_PROOF_H

#include "function-proof.h"

namespace uplock {

// The functions of the linked FILE, by place; one without a symbol has its
// address for a name. Locks outside of all functions, as far as code decodes
// there, are in one of the name "", refused.
std::vector<ProvenFunction> prove_linked_functions(const ElfFile &file);

} // namespace uplock

#endif
