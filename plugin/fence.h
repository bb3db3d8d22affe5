// SPDX-License-Identifier: GPL-3.0-or-later
//
// How a seq_cst fence looks in RTL.

#ifndef UPLOCK_PLUGIN_FENCE_H
#define UPLOCK_PLUGIN_FENCE_H

#include "gcc.h"

namespace uplock {

enum class Fence {
  none,
  mfence,      // (set (mem:BLK) (unspec:BLK [(mem:BLK)] UNSPEC_MFENCE))
  locked_no_op // the same and (clobber (reg:CC flags)): lock orq $0,(%rsp)
};

// What kind of fence INSN is, recognised or not.
inline Fence fence_kind(const rtx_insn *insn) {
#if UPLOCK_TARGET_X86
  const_rtx pattern = PATTERN(insn);
  const_rtx set =
      GET_CODE(pattern) == PARALLEL ? XVECEXP(pattern, 0, 0) : pattern;
  if (GET_CODE(set) == SET && GET_CODE(SET_SRC(set)) == UNSPEC &&
      XINT(SET_SRC(set), 1) == UNSPEC_MFENCE)
    return set == pattern ? Fence::mfence : Fence::locked_no_op;
#else
  (void)insn;
#endif
  return Fence::none;
}

} // namespace uplock

#endif
