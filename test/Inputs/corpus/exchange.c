/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Compare-and-exchange in 1, 2, 4 and 8 bytes, and in 16 where the processor is
 * known to have it, its value used, its flag used, both and neither, in loops
 * that make an operation that there is no instruction for. Exchanges, stores,
 * test-and-set and fences, which stay out of the table in the default coverage.
 */
#include "corpus.h"

#define EXCHANGES(type, name)                                                  \
  NOINLINE int cas_##name##_strong(type *p, type *old, type new_value) {       \
    return __atomic_compare_exchange_n(p, old, new_value, 0, __ATOMIC_SEQ_CST, \
                                       __ATOMIC_RELAXED);                      \
  }                                                                            \
  NOINLINE void cas_##name##_unused(type *p, type old, type new_value) {       \
    __atomic_compare_exchange_n(p, &old, new_value, 1, __ATOMIC_ACQUIRE,       \
                                __ATOMIC_ACQUIRE);                             \
  }                                                                            \
  NOINLINE type cas_##name##_constant(type *p) {                               \
    type old = 7;                                                              \
    if (__atomic_compare_exchange_n(p, &old, 0, 0, __ATOMIC_RELEASE,           \
                                    __ATOMIC_RELAXED))                         \
      return 1;                                                                \
    return old;                                                                \
  }                                                                            \
  NOINLINE int cas_##name##_sync_bool(type *p, type old, type new_value) {     \
    return __sync_bool_compare_and_swap(p, old, new_value);                    \
  }                                                                            \
  NOINLINE type cas_##name##_sync_value(type *p, type old, type new_value) {   \
    return __sync_val_compare_and_swap(p, old, new_value);                     \
  }                                                                            \
  NOINLINE type cas_##name##_maximum(type *p, type v) {                        \
    type old = __atomic_load_n(p, __ATOMIC_RELAXED);                           \
    while (old < v && !__atomic_compare_exchange_n(                            \
                          p, &old, v, 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED))  \
      ;                                                                        \
    return old;                                                                \
  }                                                                            \
  NOINLINE type exchange_##name(type *p, type v) {                             \
    __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                               \
    v = __atomic_exchange_n(p, v + 1, __ATOMIC_ACQ_REL);                       \
    return v + __sync_lock_test_and_set(p + 1, 1);                             \
  }                                                                            \
  NOINLINE type store_##name(type *p, type v) {                                \
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                  \
    __atomic_thread_fence(__ATOMIC_SEQ_CST);                                   \
    __atomic_store_n(p + 1, 3, __ATOMIC_SEQ_CST);                              \
    __sync_synchronize();                                                      \
    __atomic_signal_fence(__ATOMIC_SEQ_CST);                                   \
    __sync_lock_release(p + 1);                                                \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                               \
  }                                                                            \
  static void check_##name(void) {                                             \
    type x[2] = {7, 0}, old = 6;                                               \
    CHECK(!cas_##name##_strong(x, &old, 9) && old == 7 && x[0] == 7);          \
    CHECK(cas_##name##_strong(x, &old, 9) && x[0] == 9);                       \
    cas_##name##_unused(x, 9, 7);                                              \
    CHECK(x[0] == 7);                                                          \
    CHECK(cas_##name##_constant(x) == 1 && x[0] == 0);                         \
    CHECK(cas_##name##_constant(x) == 0);                                      \
    CHECK(cas_##name##_sync_bool(x, 0, 5) && x[0] == 5);                       \
    CHECK(!cas_##name##_sync_bool(x, 0, 5));                                   \
    CHECK(cas_##name##_sync_value(x, 5, 4) == 5 && x[0] == 4);                 \
    CHECK(cas_##name##_maximum(x, 100) == 4 && x[0] == 100);                   \
    CHECK(cas_##name##_maximum(x, 50) == 100 && x[0] == 100);                  \
    CHECK(exchange_##name(x, 20) == 20 && x[0] == 21 && x[1] == 1);            \
    CHECK(store_##name(x, 8) == 8 && x[0] == 8 && x[1] == 0);                  \
  }

EXCHANGES(unsigned char, u8)
EXCHANGES(short, i16)
EXCHANGES(unsigned, u32)
EXCHANGES(long long, i64)

/* A pair of words: cmpxchg8b on i386, cmpxchg16b on x86-64. */
struct pair {
  void *pointer;
  unsigned long count;
};

NOINLINE int push_pair(struct pair *p, void *pointer) {
  struct pair old, new_value;
  __atomic_load(p, &old, __ATOMIC_RELAXED);
  do {
    new_value.pointer = pointer;
    new_value.count = old.count + 1;
  } while (!__atomic_compare_exchange(p, &old, &new_value, 1, __ATOMIC_SEQ_CST,
                                      __ATOMIC_RELAXED));
  return (int)new_value.count;
}

#ifdef __GCC_HAVE_SYNC_COMPARE_AND_SWAP_16
typedef __int128 wide;

NOINLINE wide wide_value(wide *p, wide old, wide new_value) {
  return __sync_val_compare_and_swap(p, old, new_value);
}

NOINLINE int wide_bool(wide *p, wide old, wide new_value) {
  if (__sync_bool_compare_and_swap(p, old, new_value))
    return 3;
  return 4;
}

NOINLINE wide wide_add(wide *p, wide v) {
  __sync_fetch_and_xor(p, v);
  return __sync_add_and_fetch(p, v);
}

static void check_wide(void) {
  wide big = (wide)1 << 100;
  wide x __attribute__((aligned(16))) = 5;
  CHECK(wide_value(&x, 5, big) == 5 && x == big);
  CHECK(wide_bool(&x, big, 6) == 3 && wide_bool(&x, big, 6) == 4);
  CHECK(wide_add(&x, big) == 6 + 2 * big);
}
#else
static void check_wide(void) {}
#endif

NOINLINE int take_flag(char *flag) {
  if (__atomic_test_and_set(flag, __ATOMIC_ACQUIRE))
    return 0;
  __atomic_clear(flag, __ATOMIC_SEQ_CST);
  return 1;
}

void check_exchange(void) {
  check_u8();
  check_i16();
  check_u32();
  check_i64();
  check_wide();
  struct pair top __attribute__((aligned(2 * sizeof(void *)))) = {0, 3};
  CHECK(push_pair(&top, &top) == 4 && top.pointer == &top);
  char flag = 0;
  CHECK(take_flag(&flag) && !flag);
  flag = 1;
  CHECK(!take_flag(&flag));
}
