/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What the optimisers recognise in an operation and the use of its result:
 * test a bit and set, reset or complement it (lock bts, btr, btc), and the
 * flags of an operation in place of a comparison (lock dec; je).
 */
#include "corpus.h"

#define BITS(type, name)                                                       \
  NOINLINE int set_##name(type *p, int bit) {                                  \
    type mask = (type)((type)1 << bit);                                        \
    return (__atomic_fetch_or(p, mask, __ATOMIC_SEQ_CST) & mask) != 0;         \
  }                                                                            \
  NOINLINE int reset_##name(type *p, int bit) {                                \
    type mask = (type)((type)1 << bit);                                        \
    return (__atomic_fetch_and(p, (type)~mask, __ATOMIC_SEQ_CST) & mask) != 0; \
  }                                                                            \
  NOINLINE int complement_##name(type *p, int bit) {                           \
    type mask = (type)((type)1 << bit);                                        \
    return (__sync_fetch_and_xor(p, mask) & mask) != 0;                        \
  }                                                                            \
  NOINLINE type set_##name##_constant(type *p) {                               \
    return __atomic_fetch_or(p, 1 << 5, __ATOMIC_RELAXED) & (1 << 5);          \
  }                                                                            \
  NOINLINE int reset_##name##_branch(type *p) {                                \
    if (__atomic_fetch_and(p, (type)~64, __ATOMIC_RELAXED) & 64)               \
      return 10;                                                               \
    return 20;                                                                 \
  }                                                                            \
  NOINLINE int complement_##name##_after(type *p, int bit) {                   \
    type mask = (type)((type)1 << bit);                                        \
    return (__atomic_xor_fetch(p, mask, __ATOMIC_RELAXED) & mask) != 0;        \
  }                                                                            \
  NOINLINE int set_##name##_branch(type *p, int bit) {                         \
    if (__sync_fetch_and_or(p, (type)((type)1 << bit)) &                       \
        (type)((type)1 << bit))                                                \
      return 10;                                                               \
    return 20;                                                                 \
  }                                                                            \
  static void check_bits_##name(void) {                                        \
    for (int bit = 0; bit < (int)sizeof(type) * 8 - 1; bit++) {                \
      type x = 0, mask = (type)((type)1 << bit);                               \
      CHECK(!set_##name(&x, bit) && x == mask);                                \
      CHECK(set_##name(&x, bit) && x == mask);                                 \
      CHECK(reset_##name(&x, bit) && x == 0);                                  \
      CHECK(!reset_##name(&x, bit));                                           \
      CHECK(!complement_##name(&x, bit) && x == mask);                         \
      CHECK(complement_##name(&x, bit) && x == 0);                             \
      CHECK(complement_##name##_after(&x, bit) && x == mask);                  \
      CHECK(set_##name##_branch(&x, bit) == 10);                               \
    }                                                                          \
    type x = 0;                                                                \
    CHECK(set_##name##_constant(&x) == 0 && x == 32);                          \
    CHECK(set_##name##_constant(&x) == 32);                                    \
    x = 64;                                                                    \
    CHECK(reset_##name##_branch(&x) == 10 && reset_##name##_branch(&x) == 20); \
  }

BITS(unsigned char, u8)
BITS(short, i16)
BITS(int, i32)
BITS(unsigned, u32)
BITS(long long, i64)

#define FLAGS(type, name)                                                      \
  NOINLINE int last_##name(type *p) {                                          \
    return __atomic_fetch_sub(p, 1, __ATOMIC_ACQ_REL) == 1;                    \
  }                                                                            \
  NOINLINE int last_##name##_branch(type *p) {                                 \
    if (__sync_sub_and_fetch(p, 1) == 0)                                       \
      return 10;                                                               \
    return 20;                                                                 \
  }                                                                            \
  NOINLINE int zero_##name##_add(type *p, type v) {                            \
    return __atomic_add_fetch(p, v, __ATOMIC_SEQ_CST) == 0;                    \
  }                                                                            \
  NOINLINE int negative_##name##_sub(type *p, type v) {                        \
    return __atomic_sub_fetch(p, v, __ATOMIC_SEQ_CST) < 0;                     \
  }                                                                            \
  NOINLINE int not_negative_##name##_and(type *p, type v) {                    \
    return __atomic_and_fetch(p, v, __ATOMIC_SEQ_CST) >= 0;                    \
  }                                                                            \
  NOINLINE int zero_##name##_or(type *p) {                                     \
    return __atomic_or_fetch(p, 2, __ATOMIC_SEQ_CST) == 0;                     \
  }                                                                            \
  NOINLINE int zero_##name##_xor(type *p, type v) {                            \
    if (__atomic_xor_fetch(p, v, __ATOMIC_SEQ_CST) != 0)                       \
      return 10;                                                               \
    return 20;                                                                 \
  }                                                                            \
  NOINLINE int equal_##name##_add(type *p, type v) {                           \
    return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST) == -v;                   \
  }                                                                            \
  NOINLINE int equal_##name##_128(type *p) {                                   \
    return __atomic_fetch_add(p, -128, __ATOMIC_SEQ_CST) == (type)128;         \
  }                                                                            \
  NOINLINE int positive_##name##_inc(type *p) {                                \
    return __atomic_add_fetch(p, 1, __ATOMIC_SEQ_CST) > 0;                     \
  }                                                                            \
  static void check_flags_##name(void) {                                       \
    type x = 2;                                                                \
    CHECK(!last_##name(&x) && last_##name(&x) && x == 0);                      \
    x = 2;                                                                     \
    CHECK(last_##name##_branch(&x) == 20 && last_##name##_branch(&x) == 10);   \
    CHECK(!zero_##name##_add(&x, 3) && zero_##name##_add(&x, -3));             \
    CHECK(!negative_##name##_sub(&x, -5) && negative_##name##_sub(&x, 6));     \
    CHECK(!not_negative_##name##_and(&x, -2) && x == -2);                      \
    CHECK(not_negative_##name##_and(&x, 6) && x == 6);                         \
    CHECK(!zero_##name##_or(&x) && x == 6);                                    \
    CHECK(zero_##name##_xor(&x, 6) == 20 && zero_##name##_xor(&x, 6) == 10);   \
    CHECK(equal_##name##_add(&x, -6) && x == 0);                               \
    CHECK(positive_##name##_inc(&x) && x == 1);                                \
    x = (type)128;                                                             \
    CHECK(equal_##name##_128(&x) && x == 0);                                   \
  }

FLAGS(signed char, i8)
FLAGS(short, i16)
FLAGS(int, i32)
FLAGS(long long, i64)

void check_bits(void) {
  check_bits_u8();
  check_bits_i16();
  check_bits_i32();
  check_bits_u32();
  check_bits_i64();
  check_flags_i8();
  check_flags_i16();
  check_flags_i32();
  check_flags_i64();
}
