/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Hardware lock elision: XACQUIRE and XRELEASE, one prefix more before or
 * behind the lock prefix. The memory model asks for them, with -mhle and
 * without.
 */
#include "corpus.h"

#define ACQUIRE (__ATOMIC_ACQUIRE | __ATOMIC_HLE_ACQUIRE)
#define RELEASE (__ATOMIC_RELEASE | __ATOMIC_HLE_RELEASE)

#define ELISION(type, name)                                                    \
  NOINLINE void ticket_##name(type *p) {                                       \
    __atomic_fetch_add(p, 1, ACQUIRE);                                         \
    __atomic_fetch_sub(p, 1, RELEASE);                                         \
  }                                                                            \
  NOINLINE int lock_##name(type *p) {                                          \
    type free_value = 0;                                                       \
    return __atomic_compare_exchange_n(p, &free_value, 1, 0, ACQUIRE,          \
                                       __ATOMIC_RELAXED);                      \
  }                                                                            \
  NOINLINE type unlock_##name(type *p) {                                       \
    return __atomic_fetch_sub(p, 1, RELEASE);                                  \
  }                                                                            \
  NOINLINE int bits_##name(type *p) {                                          \
    if (__atomic_fetch_or(p, 8, ACQUIRE) & 8)                                  \
      return 10;                                                               \
    __atomic_fetch_and(p, ~8, RELEASE);                                        \
    return __atomic_exchange_n(p, 1, ACQUIRE);                                 \
  }                                                                            \
  NOINLINE void clear_##name(type *p) { __atomic_store_n(p, 0, RELEASE); }     \
  static void check_##name(void) {                                             \
    type x = 0;                                                                \
    ticket_##name(&x);                                                         \
    CHECK(lock_##name(&x) && x == 1 && !lock_##name(&x));                      \
    CHECK(unlock_##name(&x) == 1 && x == 0);                                   \
    CHECK(bits_##name(&x) == 0 && x == 1);                                     \
    clear_##name(&x);                                                          \
    CHECK(x == 0);                                                             \
  }

ELISION(unsigned char, u8)
ELISION(short, i16)
ELISION(int, i32)
ELISION(long, word)

void check_hle(void) {
  check_u8();
  check_i16();
  check_i32();
  check_word();
}
