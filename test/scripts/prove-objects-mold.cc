// SPDX-License-Identifier: GPL-3.0-or-later
//
// mold makes an executable's global symbols local. A function that an object
// defines is still found, and a lock in it without an entry too.
// REQUIRES: mold
// RUN: %cxx -O2 -c %s -o %t.o
// RUN: %cxx -fuse-ld=mold %t.o -o %t
// RUN: not %prove %t --objects %t.o | FileCheck %s
// CHECK: not in the table
// CHECK: 0 sites, 1 locked instructions

int cell;
int main() { return __atomic_fetch_add(&cell, 1, 5); }
