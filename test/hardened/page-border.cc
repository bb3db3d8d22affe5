// SPDX-License-Identifier: GPL-3.0-or-later
//
// Instructions across the border of two pages, at every offset: before the LOCK
// prefix, behind it, and behind a segment override.
// RUN: %cxx -O2 %s %uplock-flags -o %t
// RUN: env UPLOCK=up taskset -c 0 %t | FileCheck %s
#include <uplock-process.h>
#include <cstdio>
#include <initializer_list>

static int count;
static thread_local int local;
static int lock_last, override_last;

// How many NOPs before the instruction, so that it ends BEYOND bytes behind the
// border. It is 7 to 9 bytes long.
template <int Beyond> __attribute__((noinline, aligned(4096))) void touch() {
  asm volatile(".skip %c0, 0x90" : : "i"(4096 - 16 + Beyond));
  __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
}
template <int Beyond> __attribute__((noinline, aligned(4096))) void touch_local() {
  asm volatile(".skip %c0, 0x90" : : "i"(4096 - 16 + Beyond));
  __atomic_fetch_add(&local, 1, __ATOMIC_SEQ_CST);
}

template <int... Beyond> struct All {
  static void look() {
    for (void (*function)() : {touch<Beyond>..., touch_local<Beyond>...}) {
      auto page = reinterpret_cast<const unsigned char *>(function);
      lock_last += page[4095] == 0xf0;
      override_last += page[4095] == 0x64 && page[4096] == 0xf0;
    }
  }
  static void run() { (touch<Beyond>(), ...), (touch_local<Beyond>(), ...); }
};
using Pages = All<0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15>;

static void show(const uplock_status &status) {
  Pages::run();
  printf("%s, %zu sites, %zu changed, %zu mismatched\n",
         status.mode ? "UP" : "SMP", status.counts.sites, status.counts.changed,
         status.counts.mismatched);
}

int main() {
  show(uplock_process_status());
  show(uplock_process_switch(UPLOCK_SMP));
  Pages::look();
  show(uplock_process_switch(UPLOCK_UP));
  printf("%d %d, at a border: %d %d\n", count, local, lock_last, override_last);
}

// CHECK:      UP, 32 sites, 32 changed, 0 mismatched
// CHECK-NEXT: SMP, 32 sites, 32 changed, 0 mismatched
// CHECK-NEXT: UP, 32 sites, 32 changed, 0 mismatched
// CHECK-NEXT: 48 48, at a border: {{[1-9]}} {{[1-9]}}
