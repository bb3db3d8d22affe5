// SPDX-License-Identifier: GPL-3.0-or-later
//
// The atomics of Concurrency Kit, which are inline assembly in its headers,
// unmodified: each LOCK has its entry, and with one CPU no count is lost
// without it.
// RUN: %gcc -O2 -c %s %uplock -fplugin-arg-uplock-cover=asm -o %t.o
// RUN: %gcc -O2 -c %s -o %t.stock.o
// RUN: %identical %t.stock.o %t.o
// RUN: %prove --cover asm %t.o | FileCheck %s --check-prefix=PROOF
// PROOF: {{[1-9][0-9]*}} sites, {{.*}}: complete and exact
// RUN: %gcc -O2 -pthread %t.o %uplock-flags -o %t
// RUN: env UPLOCK=up UPLOCK_LOG=1 taskset -c 0 %t 2>&1 | FileCheck %s
// RUN: %gcc -O0 -pthread %s %uplock-flags -fplugin-arg-uplock-cover=all -o %t.O0
// RUN: %prove --cover asm %t.O0 | FileCheck %s --check-prefix=PROOF
// RUN: env UPLOCK=up UPLOCK_LOG=1 taskset -c 0 %t.O0 2>&1 | FileCheck %s

#include <ck_pr.h>
#include <ck_spinlock.h>

#include "Inputs/preempted.h"

static uint8_t bytes;
static uint16_t halves;
static uint32_t words;
static uint64_t longs;
static uint64_t by_faa, by_cas, by_add, bits = 5, tested, zeros;
static int signed_int;
static void *pointer;
static ck_spinlock_fas_t lock = CK_SPINLOCK_FAS_INITIALIZER;
static volatile int64_t guarded, failed;

void step(int id) {
  ck_pr_inc_8(&bytes);
  ck_pr_add_16(&halves, 3);
  ck_pr_dec_32(&words);
  ck_pr_sub_64(&longs, 2);
  ck_pr_neg_int(&signed_int);
  ck_pr_not_int(&signed_int);
  (void)ck_pr_faa_64(&by_faa, 1);
  bool is_zero;
  ck_pr_inc_64_zero(&zeros, &is_zero);
  for (uint64_t seen = ck_pr_load_64(&by_cas);
       !ck_pr_cas_64_value(&by_cas, seen, seen + 1, &seen);)
    ;
  for (uint64_t seen = ck_pr_load_64(&by_add);
       !ck_pr_cas_64(&by_add, seen, seen + 1);
       seen = ck_pr_load_64(&by_add))
    ;
  ck_pr_or_64(&bits, 1L << (id + 8));
  ck_pr_xor_64(&bits, 2L << 40);
  ck_pr_xor_64(&bits, 2L << 40);
  ck_pr_and_64(&bits, ~(1L << (id + 8)));
  if (!ck_pr_bts_64(&tested, id))
    ck_pr_btr_64(&tested, id);
  ck_pr_btc_64(&tested, id + 16);
  ck_pr_btc_64(&tested, id + 16);
  ck_pr_cas_ptr(&pointer, NULL, &pointer);
  ck_pr_fence_memory();
  if (id < threads) {
    if (ck_spinlock_fas_trylock(&lock)) {
      guarded = guarded + 1;
      ck_spinlock_fas_unlock(&lock);
    } else {
      ck_pr_inc_64((uint64_t *)&failed);
    }
  }
}

void check(long steps) {
  expect("bytes", bytes, (uint8_t)steps);
  expect("halves", halves, (uint16_t)(steps * 3));
  expect("words", words, (uint32_t)-steps);
  expect("longs", longs, -2 * steps);
  expect("faa", by_faa, steps);
  expect("inc zero", zeros, steps);
  expect("cas value", by_cas, steps);
  expect("cas", by_add, steps);
  expect("bits", bits, 5);
  expect("tested", tested, 0);
  expect("guarded", guarded + failed, (long)threads * rounds);
}
// CHECK: uplock: {{.*}}: UP (UPLOCK=up), [[SITES:[0-9]+]] sites{{.*}}, [[SITES]] changed, 0 mismatched
// CHECK-NEXT: interrupted: often
// CHECK-COUNT-11: : exact
