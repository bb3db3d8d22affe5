/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Every arithmetic and logical builtin of both families, in 1, 2, 4 and 8
 * bytes, signed and unsigned, with its result used and unused, with an operand
 * in a register and with the immediates that GCC prints in forms of their own:
 * 1 and -1 (inc, dec), 128 and -128 (the shorter of add and sub), a wide one.
 */
#include "corpus.h"

/* What is done to one element each of an array, in two functions. */
#define OPERATION(type, name, op)                                              \
  NOINLINE void op##_##name##_used(type *p, type v, type *result) {            \
    result[0] = __atomic_fetch_##op(p, v, __ATOMIC_SEQ_CST);                   \
    result[1] = __atomic_##op##_fetch(p + 1, v, __ATOMIC_ACQ_REL);             \
    result[2] = __sync_fetch_and_##op(p + 2, v);                               \
    result[3] = __sync_##op##_and_fetch(p + 3, v);                             \
    result[4] = __atomic_##op##_fetch(p + 4, -1, __ATOMIC_RELAXED);            \
    result[5] = __atomic_fetch_##op(p + 5, 127, __ATOMIC_RELAXED);             \
    result[6] = __sync_##op##_and_fetch(p + 6, (type)0x1234567);               \
  }                                                                            \
  NOINLINE void op##_##name##_unused(volatile type *p, type v) {               \
    __atomic_fetch_##op(p, v, __ATOMIC_RELAXED);                               \
    (void)__sync_##op##_and_fetch(p + 1, v);                                   \
    __atomic_fetch_##op(p + 2, 1, __ATOMIC_RELAXED);                           \
    __atomic_fetch_##op(p + 3, -1, __ATOMIC_RELAXED);                          \
    __atomic_fetch_##op(p + 4, 127, __ATOMIC_RELAXED);                         \
    __atomic_fetch_##op(p + 5, 128, __ATOMIC_RELAXED);                         \
    (void)__sync_fetch_and_##op(p + 6, -128);                                  \
    __atomic_##op##_fetch(p + 7, (type)0x1234567, __ATOMIC_RELEASE);           \
    __atomic_##op##_fetch(p + 8, (type)0x123456789abcdefll, __ATOMIC_RELEASE); \
  }

enum { USED = 7, UNUSED = 9 };
static const int result_is_new[USED] = {0, 1, 0, 1, 1, 0, 1};

/* Element I's operand, V where it is the variable one. */
NOINLINE long long used_operand(int i, long long v) {
  static const long long constants[USED] = {0, 0, 0, 0, -1, 127, 0x1234567};
  return i < 4 ? v : constants[i];
}
NOINLINE long long unused_operand(int i, long long v) {
  static const long long constants[UNUSED] = {
      0, 0, 1, -1, 127, 128, -128, 0x1234567, 0x123456789abcdefll};
  return i < 2 ? v : constants[i];
}

enum operation { ADD, SUB, AND, OR, XOR, NAND, OPERATIONS };

/* The same without atomics. */
NOINLINE long long model(enum operation operation, unsigned long long a,
                         unsigned long long b) {
  switch (operation) {
  case ADD:
    return a + b;
  case SUB:
    return a - b;
  case AND:
    return a & b;
  case OR:
    return a | b;
  case XOR:
    return a ^ b;
  default:
    return ~(a & b);
  }
}

/* All operations on a type, and the check of what they do to A with V. */
#define TYPE(type, name)                                                       \
  OPERATION(type, name, add)                                                   \
  OPERATION(type, name, sub)                                                   \
  OPERATION(type, name, and)                                                   \
  OPERATION(type, name, or)                                                    \
  OPERATION(type, name, xor)                                                   \
  OPERATION(type, name, nand)                                                  \
  static void (*const used_##name[])(type *, type, type *) = {                 \
      add_##name##_used, sub_##name##_used, and_##name##_used,                 \
      or_##name##_used,  xor_##name##_used, nand_##name##_used};               \
  static void (*const unused_##name[])(volatile type *, type) = {              \
      add_##name##_unused, sub_##name##_unused, and_##name##_unused,           \
      or_##name##_unused,  xor_##name##_unused, nand_##name##_unused};         \
  NOINLINE void check_##name(enum operation o, type a, type v) {               \
    type x[UNUSED], result[USED];                                              \
    for (int i = 0; i < UNUSED; i++)                                           \
      x[i] = a;                                                                \
    used_##name[o](x, v, result);                                              \
    for (int i = 0; i < USED; i++) {                                           \
      CHECK(x[i] == (type)model(o, a, used_operand(i, v)));                    \
      CHECK(result[i] == (result_is_new[i] ? x[i] : a));                       \
      x[i] = a;                                                                \
    }                                                                          \
    unused_##name[o](x, v);                                                    \
    for (int i = 0; i < UNUSED; i++)                                           \
      CHECK(x[i] == (type)model(o, a, unused_operand(i, v)));                  \
  }

TYPE(signed char, i8)
TYPE(unsigned short, u16)
TYPE(int, i32)
TYPE(unsigned long long, u64)

enum { SAMPLES = 6 };
static const long long samples[SAMPLES] = {1,    -1,   127,
                                           -128, 0x80, 0x7edcba9876543210};

void check_arithmetic(void) {
  for (int o = 0; o < OPERATIONS; o++)
    for (int i = 0; i < SAMPLES; i++)
      for (int j = 0; j < SAMPLES; j++) {
        check_i8((enum operation)o, samples[i], samples[j]);
        check_u16((enum operation)o, samples[i], samples[j]);
        check_i32((enum operation)o, samples[i], samples[j]);
        check_u64((enum operation)o, samples[i], samples[j]);
      }
}
