/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * OpenMP's atomic constructs, reductions and critical sections. Without
 * -fopenmp the pragmas mean nothing and one thread gives the same results.
 */
#include "corpus.h"

static int count;
static short halves;
static unsigned char bytes;
static long long wide;
static double real;
static float single;

enum { ROUNDS = 64 };

NOINLINE int captures(int *p, int v) {
  int old, now;
#pragma omp atomic capture
  {
    old = *p;
    *p += v;
  }
#pragma omp atomic capture
  now = *p *= 2;
#pragma omp atomic write
  *p = old + now;
#pragma omp atomic read
  now = *p;
#pragma omp atomic seq_cst
  *p |= 0x1000;
  return now;
}

NOINLINE long long run(void) {
  long long sum = 0;
  int guarded = 0;
#pragma omp parallel for num_threads(4) reduction(+ : sum)
  for (int i = 0; i < ROUNDS; i++) {
#pragma omp atomic
    count++;
#pragma omp atomic
    halves += 3;
#pragma omp atomic
    bytes ^= 0x81;
#pragma omp atomic
    wide -= i;
#pragma omp atomic
    real += 0.5;
#pragma omp atomic
    single -= 1;
#pragma omp critical
    guarded++;
    sum += i;
  }
  return sum + guarded;
}

void check_openmp(void) {
  int x = 1;
  CHECK(captures(&x, 4) == 11 && x == 0x100b);
  CHECK(run() == ROUNDS * (ROUNDS - 1) / 2 + ROUNDS);
  CHECK(count == ROUNDS && halves == 3 * ROUNDS && bytes == 0);
  CHECK(wide == -ROUNDS * (ROUNDS - 1) / 2);
  CHECK(real == ROUNDS / 2 && single == -ROUNDS);
}
