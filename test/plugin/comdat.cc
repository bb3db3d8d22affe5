// SPDX-License-Identifier: GPL-3.0-or-later
//
// Two files bring the same COMDAT function, one with a table and one compiled
// without the plugin: whichever copy the linker takes, the table that it takes
// belongs to it.
// RUN: %cxx -O1 -c %s %uplock -o %t.with.o
// RUN: %cxx -O1 -c %s %uplock -DMAIN -o %t.main.o
// RUN: %cxx -O1 -c %s -o %t.without.o
// RUN: readelf -gW %t.with.o | FileCheck %s --check-prefix=GROUP
// RUN: %cxx %t.with.o %t.main.o %uplock-flags -o %t.1
// RUN: %prove %t.1 | FileCheck %s --check-prefix=THREE
// RUN: %cxx %t.main.o %t.with.o %uplock-flags -o %t.2
// RUN: %prove %t.2 | FileCheck %s --check-prefix=THREE
// RUN: %cxx %t.main.o %t.without.o %uplock-flags -o %t.3
// RUN: not %prove %t.3 | FileCheck %s --check-prefix=OTHER
// RUN: %cxx %t.without.o %t.main.o %uplock-flags -o %t.4
// RUN: not %prove %t.4 | FileCheck %s --check-prefix=NONE
// RUN: env UPLOCK_LOG=1 UPLOCK=up taskset -c 0 %t.1 2>&1 | FileCheck %s
// RUN: env UPLOCK_LOG=1 UPLOCK=up taskset -c 0 %t.2 2>&1 | FileCheck %s

template <class T> __attribute__((noinline)) T next(T *p) {
  return __atomic_add_fetch(p, 1, 5);
}

#ifdef MAIN
int in_other_file(int *);
int main() {
  int n = 0;
  __atomic_fetch_add(&n, 1, 5);
  return next(&n) + in_other_file(&n) + n != 9;
}
#else
int in_other_file(int *p) {
  __atomic_fetch_add(p, 1, 5);
  return next(p) - 1;
}
#endif

// The table is a member of the function's group.
// GROUP: COMDAT group section {{.*}} [_Z4nextIiET_PS0_]
// GROUP: .text._Z4nextIiET_PS0_
// GROUP: .smp_locks

// THREE: 3 sites
// With main's copy, only in_other_file's own lock has no entry; with the other
// copy, next's has none either.
// OTHER: 2 sites
// NONE:  1 sites

// CHECK: 3 sites, 3 changed, 0 mismatched
