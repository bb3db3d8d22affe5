// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tables with different flags, which mold does not join: the runtime reads one. What
// is in the other it would not lock again, so the file is not patched.
// REQUIRES: mold
// RUN: %gcc -O2 %s -o %t %uplock-flags -fuse-ld=mold
// RUN: cp %t %t.before
// RUN: not uplock check %t | FileCheck %s
// RUN: not uplock patch --up %t | FileCheck %s
// RUN: cmp %t %t.before
// CHECK: .smp_locks: there are 2 sections of this name, of which the runtime reads one: link objects whose sections have the same flags
//
// RUN: %gcc -O2 -DFLAGS='"a"' %s -o %t.same %uplock-flags -fuse-ld=mold
// RUN: uplock check %t.same

#ifndef FLAGS
#define FLAGS "aw"
#endif

static int compiled, assembled;

int main(void) {
  __atomic_fetch_add(&compiled, 1, __ATOMIC_SEQ_CST);
  __asm__ volatile("1: lock incl %0\n"
                   ".pushsection .smp_locks, \"" FLAGS "\"\n"
                   ".balign 4\n"
                   ".long 1b - .\n"
                   ".popsection"
                   : "+m"(assembled));
  return 0;
}
