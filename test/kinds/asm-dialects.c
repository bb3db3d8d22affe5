// SPDX-License-Identifier: GPL-3.0-or-later
//
// Of {att|intel}, the one that is printed counts.
// RUN: %proven-c %s %t.d --cover asm --identical -- -O2 -O0 "-O2 -masm=att" \
// RUN:   "-O2 -m32" | FileCheck %s --check-prefix=ATT
// RUN: %proven-c %s %t.d --cover asm --identical -- "-O2 -masm=intel" \
// RUN:   "-O0 -masm=intel" "-O2 -m32 -masm=intel" \
// RUN:   | FileCheck %s --check-prefix=INTEL
// ATT-COUNT-4: 8 sites, 8 locked instructions, 0 fences: complete and exact
// INTEL-COUNT-3: 9 sites, 9 locked instructions, 0 fences: complete and exact

static int x;

void both(void) { __asm__("{lock incl %0|lock inc %0}" : "+m"(x)); }
void inside(void) { __asm__("lock inc{l} %0" : "+m"(x)); }
void outside(void) { __asm__("lock; {incl %0|inc %0}" : "+m"(x)); }
void spread(int v) {
  __asm__("lock; xadd{l} {%0, %1|%1, %0}" : "+r"(v), "+m"(x));
}
void one_sided_att(void) { __asm__("{lock} inc{l} %0" : "+m"(x)); }
void one_sided_intel(void) { __asm__("{|lock} inc{l} %0" : "+m"(x)); }
void comment_in_one(void) {
  __asm__("{lock incl %0 # a comment|lock inc %0}\n" : "+m"(x));
}
void separators_in_one(void) {
  __asm__("{lock;|lock\n} inc{l} %0; {lock inc%z0 %0|nop; lock inc %0}"
          : "+m"(x));
}
void two_in_one(void) {
  __asm__("{|lock inc %0; }nop" : "+m"(x));
}
