// SPDX-License-Identifier: MIT
//
// This module's table: where it is.

#ifndef UPLOCK_TABLE_H
#define UPLOCK_TABLE_H

#include "reason.h"

#include <stdint.h>

namespace uplock {

struct Table {
  const int32_t *begin = nullptr, *end = nullptr;
};

// Finds the table of this module in the module's file. PATH: the file as the
// loader knows it; null for the executable. Returns Reason::none when it was
// found, and otherwise what stood in the way.
Reason find_table(const char *path, Table &table);

// The path that the executable was started by, or an empty text.
const char *executable_path();

} // namespace uplock

#endif
