// SPDX-License-Identifier: GPL-3.0-or-later
#pragma uplock keep
static inline int from_header(int *p) { return __atomic_fetch_add(p, 1, 5); }
#pragma uplock patch
static inline int also_from_header(int *p) {
  return __atomic_fetch_sub(p, 1, 5);
}
#pragma uplock pop
#pragma uplock pop
