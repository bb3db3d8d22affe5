/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * C11 atomics: compound assignments, which GCC turns into loops where there is
 * no instruction (floating point, multiplication, shifts), on every kind of
 * type and lvalue: members, elements, volatile, through pointers.
 */
#include "corpus.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

_Atomic int plain;
static atomic_uchar small;
static atomic_bool truth;
static atomic_short medium[8];
static _Atomic(long long) large;
static volatile atomic_uint unruly;
static _Atomic float single;
static _Atomic double real;
static int *_Atomic pointer;
static enum colour { red, green, blue } _Atomic colour;
static atomic_flag flag = ATOMIC_FLAG_INIT;

struct point {
  short x, y;
};
static _Atomic struct point place;

struct nested {
  char pad[3];
  struct {
    atomic_int counts[4];
    atomic_ushort halves[3];
  } inner[2];
};

NOINLINE int integers(int v) {
  plain += v;
  plain -= 3;
  plain |= 0x100;
  plain &= ~1;
  plain ^= 0x10;
  plain *= 3;
  plain <<= 1;
  plain >>= 1;
  plain /= 3;
  plain %= 1000;
  return plain++ + --plain;
}

NOINLINE int others(int v) {
  small += 200;
  small += 100;
  small++;
  truth |= v;
  truth ^= 1;
  truth++;
  medium[v] -= 5;
  medium[v + 1]++;
  large += 0x100000000;
  large *= v;
  large++;
  unruly = ~unruly;
  unruly++;
  colour++;
  colour = colour == green ? blue : red;
  return small + medium[v] + medium[v + 1];
}

NOINLINE void floating(int v) {
  single += 1.5f;
  single *= v;
  single++;
  real -= 0.25;
  real /= 2;
  real--;
}

NOINLINE int *pointers(int *array) {
  pointer = array;
  pointer += 3;
  pointer--;
  pointer++;
  return pointer -= 2;
}

NOINLINE int structures(short x) {
  struct point old = atomic_load(&place), new_value = {x, 4};
  while (!atomic_compare_exchange_weak(&place, &old, new_value))
    ;
  old = atomic_exchange(&place, ((struct point){5, 6}));
  return old.x + old.y;
}

NOINLINE int members(struct nested *n, unsigned i, unsigned j) {
  n->inner[i].counts[j]++;
  n->inner[i].halves[j] += 0x1234;
  atomic_fetch_sub_explicit(&n->inner[1].counts[j], 7, memory_order_relaxed);
  n->inner[i ^ 1].halves[2] |= 0x8000;
  return n->inner[i].counts[j];
}

NOINLINE int generic(void) {
  atomic_store(&plain, 1);
  atomic_thread_fence(memory_order_seq_cst);
  int old = atomic_fetch_add(&plain, 1);
  old += atomic_fetch_or(&plain, 4);
  atomic_compare_exchange_strong(&plain, &old, 9);
  while (atomic_flag_test_and_set(&flag))
    ;
  atomic_flag_clear(&flag);
  return atomic_exchange(&plain, old);
}

void check_c11(void) {
  plain = 0;
  /* ((((10 - 3) | 0x100) & ~1) ^ 0x10) = 0x116 */
  CHECK(integers(10) == 2 * 0x116 && plain == 0x116);
  CHECK(others(1) == 45 - 5 + 1 && truth == 1);
  CHECK(large == 0x100000001 && unruly == 0 && colour == blue);
  floating(2);
  CHECK(single == 4.0f && real == -1.125);
  int array[4];
  CHECK(pointers(array) == array + 1 && pointer == array + 1);
  CHECK(structures(3) == 7 && structures(3) == 7);
  static struct nested n;
  CHECK(members(&n, 1, 2) == -6 && members(&n, 0, 1) == 1);
  CHECK(n.inner[0].halves[1] == 0x1234 && n.inner[1].halves[2] == 0x9234);
  CHECK(generic() == 6);
}
