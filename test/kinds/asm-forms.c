// SPDX-License-Identifier: GPL-3.0-or-later
//
// LOCK prefixes in every spelling that assembly has for them are recorded,
// without a byte of the text changed.
// RUN: %proven-c %s %t.d --cover asm --identical -- -O0 -O1 -O2 -O3 -Os \
// RUN:   "-O2 -g3" "-O2 -fPIC" "-O2 -fverbose-asm -dA" "-O2 -pipe" -m32 \
// RUN:   "-O2 -m32" "-O2 -m32 -fPIC" "-O2 -mx32" "-O2 -save-temps=obj" \
// RUN:   | FileCheck %s
// CHECK-COUNT-14: 22 sites, 22 locked instructions, 0 fences: complete and exact

static int x, y;

void one_statement(int v) { __asm__("lock xaddl %0, %1" : "+r"(v), "+m"(x)); }
void two_statements(int v) {
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(v), "+m"(x));
}
void two_lines(int v) {
  __asm__("lock\n\t cmpxchgl %1, %0" : "+m"(x) : "r"(v) : "eax", "cc");
}
void empty_lines(void) { __asm__("lock ;;\n\n\t ; incl %0" : "+m"(x)); }
void tight(void) { __asm__("nop;lock;incl %0;nop" : "+m"(x)); }
void several(void) {
  __asm__("lock incl %0\n\tlock decl %0; nop; lock; notl %0" : "+m"(x));
}
void several_outputs(int *p, int *q) {
  __asm__("lock incl %0\n\tlock decl %1" : "+m"(*p), "+m"(*q));
}
void upper_case(void) { __asm__("LOCK INCL %0; Lock; Decl %0" : "+m"(x)); }
void behind_labels(void) {
  __asm__("1: lock incl %0\n .Lmine%=: 2:\tlock; decl %0; jmp 2f; 2:"
          : "+m"(x));
}
// As in glibc: LOCK is skipped on one CPU.
void between(int v) {
  __asm__("cmpl $0, %1; je 0f; lock; 0:\taddl %2, %0"
          : "+m"(x)
          : "m"(y), "r"(v)
          : "cc");
}
void slash(void) { __asm__("lock/incl %0" : "+m"(x)); }
void comments(void) {
  __asm__("/* lock; */ nop # lock; nop\n / lock incl\n"
          "lock /* a\n comment */ incl %0 # }"
          : "+m"(x));
}
void behind_strings(void) {
  __asm__(".pushsection .rodata; .ascii \"lock; incl\"; .byte '\"; .byte '#\n"
          ".popsection; lock incl %0"
          : "+m"(x));
}
void basic(void) { __asm__("nop; lock incl (%ecx)"); }
void basic_with_braces(void) { __asm__("nop # {%\n lock incl (%ecx)"); }
void clobber_only(void) { __asm__("lock incl (%%ecx)" ::: "memory"); }
void no_clobber(void) { __asm__("lock incl (%%ecx)" ::); }
