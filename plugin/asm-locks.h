// SPDX-License-Identifier: GPL-3.0-or-later
//
// LOCK prefixes in the text of inline assembly.

#ifndef UPLOCK_PLUGIN_ASM_LOCKS_H
#define UPLOCK_PLUGIN_ASM_LOCKS_H

#include <string>
#include <vector>

namespace uplock {

// How an asm statement's text is to be read.
struct AsmSyntax {
  bool has_operands; // %0 and %%, as in extended asm; plain text otherwise
  int dialect;       // which of {att|intel} is printed, with has_operands
};

// Where the statements of TEXT that begin with a LOCK prefix start: offsets in
// TEXT of the first word of each, of those that SYNTAX prints.
std::vector<size_t> find_asm_locks(const std::string &text, AsmSyntax syntax);

} // namespace uplock

#endif
