// SPDX-License-Identifier: GPL-3.0-or-later
//
// The prefixes that a store can have: operand size, REX for high registers and
// for the low bytes of rsi and rdi, fs; all at once.
// RUN: %gcc -O2 -c %s %uplock -fplugin-arg-uplock-cover=store -o %t.o
// RUN: %prove --cover store %t.o
// RUN: objdump -d --insn-width=12 %t.o | FileCheck %s

#define STORE(place, v) __atomic_store_n(&(place), v, __ATOMIC_SEQ_CST)
#define IN(name) register long name __asm__(#name)

void high(void) {
  register long *base __asm__("r13");
  IN(r14), value __asm__("r15");
  __asm__("" : "=r"(base), "=r"(r14), "=r"(value));
  STORE(base[r14], value);
}
// CHECK-LABEL: <high>:
// CHECK: 4f 87 7c f5 00 {{ *}}xchg %r15,0x0(%r13,%r14,8)

void low_byte(char *p, char v) {
  register char value __asm__("sil") = v;
  __asm__("" : "+r"(value));
  STORE(*p, value);
}
// CHECK-LABEL: <low_byte>:
// CHECK: 40 86 37 {{ *}}xchg %sil,(%rdi)

void half(short *p, short v) { STORE(*p, v); }
// CHECK-LABEL: <half>:
// CHECK: 66 87 37 {{ *}}xchg %si,(%rdi)

__thread short local;
void thread_half(short v) { STORE(local, v); }
// CHECK-LABEL: <thread_half>:
// CHECK: {{66 64|64 66}} 87 3c 25

__thread short locals[9];
void all_at_once(void) {
  register long index __asm__("r12");
  register short value __asm__("r9");
  __asm__("" : "=r"(index), "=r"(value));
  STORE(locals[index], value);
}
// CHECK-LABEL: <all_at_once>:
// CHECK: {{(66 64|64 66|66)}} 4{{[4-7]}} 87 {{.*}}xchg %r9w,
