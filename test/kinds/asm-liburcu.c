// SPDX-License-Identifier: GPL-3.0-or-later
//
// The atomics of liburcu, which are inline assembly in its headers, unmodified:
// each LOCK has its entry, and with one CPU no count is lost without it.
// RUN: %gcc -O2 -c %s %uplock -fplugin-arg-uplock-cover=asm -o %t.o
// RUN: %gcc -O2 -c %s -o %t.stock.o
// RUN: %identical %t.stock.o %t.o
// RUN: %prove --cover asm %t.o | FileCheck %s --check-prefix=PROOF
// PROOF: {{[1-9][0-9]*}} sites, {{.*}}: complete and exact
// RUN: %gcc -O2 -pthread %t.o %uplock-flags -o %t
// RUN: env UPLOCK=up UPLOCK_LOG=1 taskset -c 0 %t 2>&1 | FileCheck %s
// RUN: %gcc -O0 -pthread %s %uplock-flags -fplugin-arg-uplock-cover=asm -o %t.O0
// RUN: %prove --cover asm %t.O0 | FileCheck %s --check-prefix=PROOF
// RUN: env UPLOCK=up UPLOCK_LOG=1 taskset -c 0 %t.O0 2>&1 | FileCheck %s

#include <urcu/uatomic.h>

#include "Inputs/preempted.h"

static int8_t bytes;
static int16_t halves;
static int32_t words;
static int64_t longs;
static int64_t by_cas, by_return, bits = 5, lock;
static volatile int64_t guarded;

void step(int id) {
  uatomic_inc(&bytes);
  uatomic_add(&halves, 3);
  uatomic_dec(&words);
  uatomic_sub(&longs, 2);
  (void)uatomic_add_return(&by_return, 1);
  for (int64_t seen = uatomic_read(&by_cas);;) {
    int64_t old = uatomic_cmpxchg(&by_cas, seen, seen + 1);
    if (old == seen)
      break;
    seen = old;
  }
  uatomic_or(&bits, 1L << (id + 8));
  uatomic_and(&bits, ~(1L << (id + 8)));
  if (!uatomic_xchg(&lock, 1)) {
    guarded = guarded + 1;
    uatomic_set(&lock, 0);
  }
}

void check(long steps) {
  expect("bytes", bytes, (int8_t)steps);
  expect("halves", halves, (int16_t)(steps * 3));
  expect("words", words, (int32_t)-steps);
  expect("longs", longs, -2 * steps);
  expect("return", by_return, steps);
  expect("cas", by_cas, steps);
  expect("bits", bits, 5);
}
// CHECK: uplock: {{.*}}: UP (UPLOCK=up), [[SITES:[0-9]+]] sites{{.*}}, [[SITES]] changed, 0 mismatched
// CHECK-NEXT: interrupted: often
// CHECK-COUNT-7: : exact
