/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Thread-local operands in every TLS model: a segment prefix beside the lock
 * prefix, with and without an operand-size prefix, and addresses that come from
 * a call or a table.
 */
#include "corpus.h"

#define THREAD_LOCAL(model) __thread __attribute__((tls_model(model)))

/* GCC cannot call __tls_get_addr far away. */
#if defined __code_model_large__ && !defined __PIC__
#define GLOBAL_MODEL "initial-exec"
#define LOCAL_MODEL "initial-exec"
#else
#define GLOBAL_MODEL "global-dynamic"
#define LOCAL_MODEL "local-dynamic"
#endif

THREAD_LOCAL(GLOBAL_MODEL) int global_dynamic;
static THREAD_LOCAL(LOCAL_MODEL) int local_dynamic;
static THREAD_LOCAL(LOCAL_MODEL) short local_dynamic_short;
THREAD_LOCAL("initial-exec") int initial_exec;
THREAD_LOCAL("initial-exec") unsigned char initial_exec_byte;
THREAD_LOCAL("initial-exec") short initial_exec_short;

/* A model that a shared object must not use. */
#if defined __PIC__ && !defined __PIE__
#define OWN_MODEL "initial-exec"
#else
#define OWN_MODEL "local-exec"
#endif

static THREAD_LOCAL(OWN_MODEL) int own;
static THREAD_LOCAL(OWN_MODEL) unsigned char own_byte;
static THREAD_LOCAL(OWN_MODEL) short own_short;
static THREAD_LOCAL(OWN_MODEL) long long own_long;
static THREAD_LOCAL(OWN_MODEL) int own_array[8];
static THREAD_LOCAL(OWN_MODEL) short own_shorts[8];

NOINLINE int dynamic(int v) {
  __atomic_fetch_add(&global_dynamic, v, __ATOMIC_SEQ_CST);
  __atomic_fetch_sub(&local_dynamic, 1, __ATOMIC_SEQ_CST);
  __atomic_fetch_or(&local_dynamic_short, 0x4321, __ATOMIC_SEQ_CST);
  return __atomic_fetch_xor(&global_dynamic, 1, __ATOMIC_SEQ_CST);
}

NOINLINE int initial(int v) {
  __atomic_fetch_add(&initial_exec, v, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&initial_exec_byte, 1, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&initial_exec_short, 0x1111, __ATOMIC_SEQ_CST);
  return __atomic_fetch_add(&initial_exec, 1, __ATOMIC_SEQ_CST);
}

NOINLINE int local(int v, int i) {
  __atomic_fetch_add(&own, v, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&own, -128, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&own_byte, 5, __ATOMIC_SEQ_CST);
  __atomic_fetch_and(&own_short, (short)v, __ATOMIC_SEQ_CST);
  __atomic_fetch_or(&own_short, 0x2222, __ATOMIC_SEQ_CST);
  __atomic_fetch_sub(&own_long, 3, __ATOMIC_SEQ_CST);
  __atomic_fetch_xor(&own_array[i], 9, __ATOMIC_SEQ_CST);
  __atomic_fetch_add(&own_shorts[i], 0x777, __ATOMIC_SEQ_CST);
  int old = v - 128;
  __atomic_compare_exchange_n(&own, &old, 5, 0, __ATOMIC_SEQ_CST,
                              __ATOMIC_SEQ_CST);
  short old_short = 0x2222;
  __atomic_compare_exchange_n(&own_short, &old_short, 6, 0, __ATOMIC_SEQ_CST,
                              __ATOMIC_SEQ_CST);
  if (__atomic_sub_fetch(&own_long, 1, __ATOMIC_SEQ_CST) == 0)
    return 10;
  if (__atomic_fetch_or(&own_shorts[i], 8, __ATOMIC_SEQ_CST) & 8)
    return 20;
  return __atomic_exchange_n(&own, 1, __ATOMIC_SEQ_CST);
}

void check_tls(void) {
  CHECK(dynamic(3) == 3 && global_dynamic == 2 && local_dynamic == -1);
  CHECK(local_dynamic_short == 0x4321);
  CHECK(initial(4) == 4 && initial_exec == 5);
  CHECK(initial_exec_byte == 1 && initial_exec_short == 0x1111);
  CHECK(local(7, 3) == 5 && own == 1 && own_byte == 5 && own_short == 6);
  CHECK(own_long == -4 && own_array[3] == 9 && own_shorts[3] == 0x77f);
}
