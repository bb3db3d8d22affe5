// SPDX-License-Identifier: GPL-3.0-or-later
//
// A seq_cst store is recorded, at every width and in every way to address
// memory, without a byte of the text changed.
// RUN: %proven-c %s %t.d --cover store --identical -- -O0 -O1 -O2 -O3 -Os -Og \
// RUN:   "-O2 -g3" "-O2 -fPIC" "-O2 -mtune=skylake" "-O2 -masm=intel" \
// RUN:   "-O2 -fno-pie" "-O2 -fno-omit-frame-pointer" "-O2 -mx32" \
// RUN:   "-O2 -mcmodel=large -fno-pie" | FileCheck %s
// CHECK-COUNT-14: 38 sites, 0 locked instructions, 0 fences, 38 stores, 0 switches, 0 xchg left: complete and exact
// RUN: %proven-c %s %t.d --cover store --identical -- -m32 "-O2 -m32" \
// RUN:   "-O2 -m32 -fPIC" "-Os -m32" "-O3 -m32 -masm=intel" \
// RUN:   | FileCheck %s --check-prefix=I386
// I386-COUNT-5: sites, 0 locked instructions, 0 fences, {{3[0-9]}} stores, 0 switches, 0 xchg left: complete and exact

#define STORE(place, v) __atomic_store_n(&(place), v, __ATOMIC_SEQ_CST)
#define WIDTHS(X) X(char, byte) X(short, half) X(int, word) X(long, full)

struct record {
  char pad[3];
  char byte;
  short half;
  int word;
  long full;
};
struct record global;
static struct record own;
__thread struct record local;
extern void use(void *);

#define WIDTH(type, name)                                                      \
  void simple_##name(type *p, type v) { STORE(*p, v); }                        \
  void constant_##name(type *p) { STORE(*p, 7); }                              \
  void rip_##name(type v) { STORE(global.name, v); }                           \
  void own_##name(type v) { STORE(own.name, v); }                              \
  void indexed_##name(struct record *p, long i, type v) {                      \
    STORE(p[i].name, v);                                                       \
  }                                                                            \
  void scaled_##name(type *p, long i, type v) { STORE(p[i + 5], v); }          \
  void tls_##name(type v) { STORE(local.name, v); }                            \
  void stack_##name(type v) {                                                  \
    struct record r;                                                           \
    STORE(r.name, v);                                                          \
    use(&r);                                                                   \
  }                                                                            \
  void absolute_##name(type v) { STORE(*(type *)0x12340, v); }
WIDTHS(WIDTH)

// By hand: a high register as base, index and operand; a byte register that
// needs REX.
void many(char *a, char *b, char *c, long i) {
  use(a), use(b), use(c);
  STORE(b[i], (char)i);
}
void bytes(int a, int b, int c, int d, char *p, char v) { STORE(*p, v); }
