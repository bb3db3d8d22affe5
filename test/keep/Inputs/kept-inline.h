// SPDX-License-Identifier: GPL-3.0-or-later
__attribute__((uplock_keep)) static inline int kept_in_header(int *p) {
  return __atomic_fetch_xor(p, 7, 5);
}
