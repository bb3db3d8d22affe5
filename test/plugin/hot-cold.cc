// SPDX-License-Identifier: GPL-3.0-or-later
//
// A function that is split: the cold part is in another section, and has its
// entries in a table of that section.
// RUN: %cxx -O2 -freorder-blocks-and-partition -c %s -o %t.stock.o
// RUN: %cxx -O2 -freorder-blocks-and-partition -c %s %uplock -o %t.o
// RUN: %identical %t.stock.o %t.o
// RUN: %prove %t.o
// RUN: readelf -rW %t.o | FileCheck %s
// RUN: %cxx %t.o -ffunction-sections -Wl,--gc-sections %uplock-flags -o %t
// RUN: %prove %t
// RUN: %t

struct Error {};
int hot, cold;

__attribute__((noinline)) void check(int n) {
  __atomic_fetch_add(&hot, 1, 5);
  if (n > 2)
    throw Error();
}

__attribute__((noinline)) int work(int n) {
  try {
    check(n);
    __atomic_fetch_add(&hot, n, 5);
  } catch (const Error &) {
    __atomic_fetch_sub(&cold, n, 5);
  }
  return hot;
}

int main() {
  work(1);
  work(3);
  return hot != 3 || cold != -3;
}

// CHECK-DAG: section '.rela.text'
// CHECK-DAG: section '.rela.text.unlikely'
// CHECK-DAG: R_X86_64_NONE
