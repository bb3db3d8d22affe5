// SPDX-License-Identifier: GPL-3.0-or-later
//
// Why a locked instruction has no entry, as far as it can be told.

#ifndef UPLOCK_REASON_H
#define UPLOCK_REASON_H

#include <string>

#include "code.h"
#include "debug-info.h"

namespace uplock {

struct Circumstances {
  Kind kind;
  bool has_lock;             // a LOCK prefix
  bool has_table;            // the file has
  bool function_has_entries; // of others
  DebugInfo::Unit unit;
};

std::string likely_reason(const Circumstances &what);

} // namespace uplock

#endif
