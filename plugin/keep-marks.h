// SPDX-License-Identifier: GPL-3.0-or-later
//
// Between the two halves of keep: what says that a function is kept (keep.cc)
// and the pass that makes it hold (keep-pass.cc).

#ifndef UPLOCK_PLUGIN_KEEP_MARKS_H
#define UPLOCK_PLUGIN_KEEP_MARKS_H

#include "gcc.h"

namespace uplock {

// What the source and the options say of FUNCTION.
bool is_to_be_kept(const_tree function);

// Is FUNCTION kept, and by nothing but -fplugin-arg-uplock-default=keep?
bool is_kept_by_default_only(const_tree function);

// Puts the outcome on FUNCTION for good. What is kept by default only, and the
// members of std::atomic, are kept where they stand on their own, and free to
// be inlined anywhere.
void mark_function(tree function);

// From now on FUNCTION is not inlined where it would not be kept.
void keep_everywhere(tree function);
bool is_kept_everywhere(const_tree function);

// Is FUNCTION one through which C++ programs name atomic instructions: a member
// of std::atomic, std::atomic_ref, std::atomic_flag or of what these are made
// of, or a function such as std::atomic_fetch_add? It takes the mode of whoever
// names it.
bool is_atomic_member(const_tree function);

} // namespace uplock

#endif
