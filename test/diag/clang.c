// SPDX-License-Identifier: GPL-3.0-or-later
//
// clang loads what it is given by -fplugin, whatever it is: it is told that this
// is for GCC, and does not compile what would stay locked.
// REQUIRES: clang
// RUN: not clang -fplugin=%plugin -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not ls %t.o
// CHECK: uplock: this is a plugin for GCC {{[0-9.]+}}, which another compiler has
// CHECK-SAME: loaded: compile with GCC, or leave -fplugin out
int nothing;
