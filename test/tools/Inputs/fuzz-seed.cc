// SPDX-License-Identifier: GPL-3.0-or-later
//
// What scripts/fuzz begins with: locked instructions beside all that leads into
// code or describes it. Exceptions, a jump table, a table of functions, a
// section group, a lambda, thread-local data, inlined functions.

extern int where(int);
thread_local long count;
static int number;

struct Guard {
  ~Guard() { __atomic_fetch_sub(&number, 1, __ATOMIC_SEQ_CST); }
};

inline int in_a_group(int by) {
  return __atomic_fetch_add(&number, by, __ATOMIC_ACQ_REL);
}

int caught(int x) {
  Guard guard;
  try {
    return where(x) + in_a_group(x);
  } catch (int thrown) {
    return __atomic_or_fetch(&number, thrown, __ATOMIC_RELAXED);
  } catch (...) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
  }
  return 0;
}

int chosen(int which, long *cell) {
  switch (which) {
  case 0:
    return where(3);
  case 1:
    return __atomic_exchange_n(cell, 4, __ATOMIC_SEQ_CST);
  case 2:
    __atomic_store_n(cell, 5, __ATOMIC_SEQ_CST);
    return where(1);
  case 3:
    return where(9) - 1;
  case 4:
    __atomic_and_fetch(cell, ~7, __ATOMIC_SEQ_CST);
    return 8;
  case 5:
    return count++;
  }
  return -1;
}

int (*const functions[])(int) = {
    caught, in_a_group,
    [](int x) { return x + __sync_val_compare_and_swap(&number, x, 1); }};
