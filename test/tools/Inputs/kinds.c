// SPDX-License-Identifier: GPL-3.0-or-later
int counter, other;
static inline void add(void) { __atomic_fetch_add(&counter, 1, 5); }
void caller(void) {
  add();
  __atomic_store_n(&other, 1, 5);
}
void fences(void) {
  __atomic_thread_fence(5);
  __asm__ volatile("lock incl %0" : "+m"(counter));
}
int swap(int value) { return __atomic_exchange_n(&counter, value, 5); }
__attribute__((uplock_keep)) void kept(void) { __atomic_fetch_add(&other, 1, 5); }
