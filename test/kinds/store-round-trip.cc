// SPDX-License-Identifier: GPL-3.0-or-later
//
// In one CPU mode a store is a mov; the way back restores the image. Every
// store still stores what it should.
// RUN: %cxx -O2 %s %uplock-flags -fplugin-arg-uplock-cover=all -o %t
// RUN: env UPLOCK=smp taskset -c 0 %t | FileCheck %s
// RUN: %cxx -O0 %s %uplock-flags -fplugin-arg-uplock-cover=all -o %t.O0
// RUN: env UPLOCK=smp taskset -c 0 %t.O0 | FileCheck %s
// RUN: %cxx -O2 -static %s %uplock-flags -fplugin-arg-uplock-cover=all -o %t.s
// RUN: env UPLOCK=smp taskset -c 0 %t.s | FileCheck %s
#include <uplock-process.h>
#include <atomic>
#include <cstdio>
#include <string>

extern "C" const char __executable_start, etext;

static std::string code() { return {&__executable_start, &etext}; }

template <class T> struct Cells {
  std::atomic<T> cells[3];
  static thread_local std::atomic<T> local;
  std::atomic_flag flag = ATOMIC_FLAG_INIT;

  __attribute__((noinline)) bool check(int i, T v) {
    cells[0] = v;
    cells[i] = T(v + 1);
    local = T(v + 2);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    T old = cells[2].exchange(T(v + 3));
    T next = cells[2].exchange(T(v + 4));
    bool was_clear = !flag.test_and_set(), is_set = flag.test_and_set();
    flag.clear();
    return cells[0] == v && cells[i] == T(v + 1) && local == T(v + 2) &&
           next == T(v + 3) && cells[2] == T(v + 4) && old != next &&
           was_clear && is_set;
  }
};
template <class T> thread_local std::atomic<T> Cells<T>::local;

static Cells<char> bytes;
static Cells<short> halves;
static Cells<int> words;
static Cells<long> longs;

static void check(const char *mode) {
  static int round;
  round += 10;
  bool right = bytes.check(1, round) && halves.check(1, round * 1000) &&
               words.check(1, round * 100000) &&
               longs.check(1, round * 10000000000l);
  printf("%s: %s\n", mode, right ? "right" : "wrong");
}

static void change(const char *name, uplock_mode mode,
                   const std::string &image) {
  uplock_counts counts = uplock_process_switch(mode).counts;
  printf("%s: %s, %s\n", name,
         counts.sites && counts.changed == counts.sites ? "all changed"
         : counts.already == counts.sites               ? "all already"
                                                        : "wrong",
         image == code() ? "the image" : "not the image");
  printf("forms: %d\n", counts.stores && counts.locks && counts.exchanges &&
                            counts.mismatched == 0);
}

int main() {
  std::string image = code();
  check("as compiled");
  change("UP", UPLOCK_UP, image);
  check("UP");
  change("UP", UPLOCK_UP, image);
  change("SMP", UPLOCK_SMP, image);
  check("SMP");
}
// CHECK: as compiled: right
// CHECK-NEXT: UP: all changed, not the image
// CHECK-NEXT: forms: 1
// CHECK-NEXT: UP: right
// CHECK-NEXT: UP: all already, not the image
// CHECK-NEXT: forms: 1
// CHECK-NEXT: SMP: all changed, the image
// CHECK-NEXT: forms: 1
// CHECK-NEXT: SMP: right
