// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which functions are kept: what they contain never runs an unlocked
// instruction.

#ifndef UPLOCK_PLUGIN_KEEP_H
#define UPLOCK_PLUGIN_KEEP_H

#include "gcc.h"

namespace uplock {

// Is nothing of FUNCTION to be recorded? Valid from the first IPA pass on.
bool is_kept(const_tree function);

// What holds where neither an attribute nor a pragma says something:
// -fplugin-arg-uplock-default=keep.
extern bool is_kept_by_default;

// Attributes, pragmas, the border against inlining. Called once; BASE_NAME is
// the plugin's.
void register_keep(const char *base_name);

// The pass that marks and checks functions before anything is inlined.
simple_ipa_opt_pass *make_keep_pass(gcc::context *);

} // namespace uplock

#endif
