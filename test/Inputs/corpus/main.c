/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Runs the corpus and says what went wrong.
 */
#include "corpus.h"

#include <stdio.h>

static int failures;

void report_failure(const char *file, int line, const char *what) {
  fprintf(stderr, "%s:%d: %s is false\n", file, line, what);
  __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
}

int main(void) {
  check_arithmetic();
  check_exchange();
  check_bits();
  check_c11();
  check_tls();
  check_sections();
  check_openmp();
  check_hle();
  check_library();
  return __atomic_load_n(&failures, __ATOMIC_SEQ_CST) != 0;
}
