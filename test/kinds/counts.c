// SPDX-License-Identifier: GPL-3.0-or-later
//
// The dump counts a function's sites by kind, and the log those of a program by
// form.
// RUN: %gcc -O2 %s %uplock-flags -fplugin-arg-uplock-cover=all \
// RUN:   -fplugin-arg-uplock-dump=%t.dump -o %t
// RUN: FileCheck %s < %t.dump
// RUN: env UPLOCK_LOG=1 UPLOCK=up taskset -c 0 %t 2>&1 \
// RUN:   | FileCheck %s --check-prefix=LOG
int cell;

__attribute__((noinline)) int all_kinds(int value) {
  __atomic_fetch_add(&cell, value, 5);
  __atomic_fetch_add(&cell, 2, 5);
  __atomic_store_n(&cell, value, 5);
  __atomic_thread_fence(5);
  asm volatile("lock; incl %0" : "+m"(cell));
  return __atomic_exchange_n(&cell, value, 5);
}
// The third rmw is the cold part of the exchange.
// CHECK: ;; uplock sites of all_kinds: 3 rmw 1 store 1 exchange 1 fence 1 asm

int main(void) { return all_kinds(1) != 2; }

// LOG: uplock: {{.*}}: UP (UPLOCK=up), 7 sites (5 lock, 1 store, 1 exchange), 7 changed
