// SPDX-License-Identifier: MIT
//
// The module (executable or shared object) that this copy of the library is
// linked into: where its table and its text are.

#ifndef UPLOCK_MODULE_H
#define UPLOCK_MODULE_H

#include <stdint.h>

namespace uplock {

struct Module {
  const int32_t *table = nullptr, *table_end = nullptr;
  const uint8_t *text = nullptr, *text_end = nullptr;
  int protection = 0; // PROT_* of the text's pages
};

// Finds both. Returns null, or in words why there is nothing to patch.
const char *find_own_module(Module &module);

} // namespace uplock

#endif
