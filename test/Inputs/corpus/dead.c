/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Functions that nothing refers to: with -ffunction-sections and --gc-sections
 * they must go, and their entries with them.
 */
#include "corpus.h"

int dead_count;

NOINLINE int dead_leaf(int v) {
  return __atomic_fetch_add(&dead_count, v, __ATOMIC_SEQ_CST);
}

NOINLINE int dead_caller(int *p) {
  __atomic_fetch_xor(p, 1, __ATOMIC_SEQ_CST);
  if (__builtin_expect(dead_leaf(*p) < 0, 0)) {
    __atomic_fetch_sub(p, 1, __ATOMIC_SEQ_CST);
    __builtin_abort();
  }
  return __sync_bool_compare_and_swap(p, 1, 2);
}
