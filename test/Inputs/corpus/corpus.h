/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * The corpus: code dense with atomics, in every form that GCC turns into a
 * locked instruction. scripts/flag-matrix compiles it under many flags; the
 * linked program checks what it computes and exits 0.
 *
 * Each file has one check_* function, called by main.c. What is to be compiled
 * on its own stands in NOINLINE functions, so that its operands are unknown to
 * the optimisers.
 */
#ifndef CORPUS_H
#define CORPUS_H

#define NOINLINE __attribute__((noinline))

#ifdef __cplusplus
extern "C" {
#endif

void report_failure(const char *file, int line, const char *what);

void check_arithmetic(void);
void check_exchange(void);
void check_bits(void);
void check_c11(void);
void check_tls(void);
void check_sections(void);
void check_openmp(void);
void check_hle(void);
void check_library(void);

#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
/* In the objects of two files, in the program once. */
template <typename T> NOINLINE T shared_add(T *p, T v) {
  if (__builtin_expect(v == 0, 0))
    __atomic_fetch_or(p, 1, __ATOMIC_SEQ_CST);
  return __atomic_fetch_add(p, v, __ATOMIC_SEQ_CST);
}
#endif

#define CHECK(...)                                                             \
  do                                                                           \
    if (!(__VA_ARGS__))                                                        \
      report_failure(__FILE__, __LINE__, #__VA_ARGS__);                        \
  while (0)

#endif
