// SPDX-License-Identifier: GPL-3.0-or-later
//
// What only looks like a LOCK prefix is left alone, and so is what cannot have
// a label: text that is assembled several times or perhaps not at all, text in
// other sections, text that keeps a table itself.
// RUN: %gcc -O2 -S %uplock -fplugin-arg-uplock-cover=asm \
// RUN:   -fplugin-arg-uplock-dump=%t.dump %s -o %t.s
// RUN: FileCheck %s --check-prefix=DUMP --allow-empty < %t.dump
// DUMP-NOT: uplock:
// RUN: %gcc -O2 -S %s -o %t.stock.s
// RUN: cmp %t.stock.s %t.s
// RUN: %gcc -c %t.s -o %t.o

static int x, lock, lock_count;

void comments(void) {
  __asm__("nop # lock; incl\n\t/* ; lock incl */ nop\n / lock; incl" :::);
}
void strings(void) {
  __asm__(".pushsection .rodata\n .ascii \"lock; incl \\\" ; lock incl\"\n"
          " .byte ';, '\\\", ';\n .popsection"
          :::);
}
void symbols(void) {
  __asm__("incl lock(%%rip); nop; incl lock_count(%%rip)" : "=m"(lock),
          "=m"(lock_count));
}
void labels(void) {
  __asm__("lock%=: nop; .Llock%=: nop; lock_%=: nop; rep%=: nop" :::);
}
void label_named_lock(void) { __asm__("jmp lock1; lock1: nop" :::); }
void assignment(void) { __asm__(".set uplock_t, 1; data32 = 5; nop" :::); }
void exchanges(int v) {
  __asm__("lock; xchgl %0, %1" : "+r"(v), "+m"(x));
  __asm__("lock xchgl %0, %1; lock\n\n xchg %0, %1" : "+r"(v), "+m"(x));
}
void repeated(void) {
  __asm__(".rept 2; lock incl %0; .endr" : "+m"(x));
  __asm__(".REPT 2\n lock incl %0\n .ENDR" : "+m"(x));
  __asm__(".irp n, 1, 2; lock addl $\\n, %0; .endr" : "+m"(x));
  __asm__(".irpc n, 12; lock addl $\\n, %0; .endr" : "+m"(x));
}
void macros(void) {
  __asm__(".macro twice insn:vararg\n lock \\insn; lock; \\insn\n .endm\n"
          "twice incl %0\n\t.purgem twice"
          : "+m"(x));
  __asm__(".altmacro\n .macro once\n local l\nl: lock; incl %0\n .endm\n"
          "once\n .purgem once\n .noaltmacro"
          : "+m"(x));
}
void conditional(void) {
  __asm__(".if 0\n lock; incl %0\n .endif" : "+m"(x));
  __asm__(".ifc a,b; lock; incl %0; .endif" : "+m"(x));
  __asm__("1: .ifndef nothing; lock; incl %0; .endif" : "+m"(x));
}
void own_table(void) {
  __asm__(".pushsection .smp_locks, \"a\"; .balign 4; .long 671f-.\n"
          ".popsection; 671: lock; incl %0"
          : "+m"(x));
}
void elsewhere(void) {
  __asm__("jmp 1f; .subsection 1; 1: lock; incl %0; jmp 2f; .previous; 2:"
          : "+m"(x));
  __asm__(".pushsection .text.other, \"ax\"; lock; incl (%%rcx)\n\t.popsection"
          :::);
}
