// SPDX-License-Identifier: GPL-3.0-or-later
int n;
int use_kept(void);
int *opaque(void);

__attribute__((uplock_keep)) int kept(int *p) {
  __atomic_fetch_add(p, 1, 5);
  __atomic_thread_fence(5);
  return *p;
}

__attribute__((uplock_keep)) int kept_exchange(int *p, int value) {
  return __atomic_exchange_n(p, value, 5) + kept(p);
}

// The same as a function of the other file.
__attribute__((uplock_keep, noinline)) int kept_twin(int *p) {
  __atomic_fetch_add(p, 1, 5);
  __atomic_fetch_sub(p, 2, 5);
  return *p;
}
