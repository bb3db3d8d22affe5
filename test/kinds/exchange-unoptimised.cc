// SPDX-License-Identifier: GPL-3.0-or-later
//
// At -O0 too, where results go to variables, and with what instruments code:
// sanitizers and exceptions from any instruction, whose exchanges with an edge
// to a handler are left as they are.
// RUN: %proven-cxx %s %t.d --cover exchange -- -O0 "-O0 -g" "-O0 -m32" \
// RUN:   "-O0 -fPIC" "-O0 -masm=intel" "-O0 -fsanitize=address,undefined" \
// RUN:   "-O2 -fsanitize=address,undefined" "-O2 -fsanitize=kernel-address" \
// RUN:   "-O0 -fstack-check" "-O0 -fcf-protection=full" \
// RUN:   "-O0 -fprofile-arcs -ftest-coverage" | FileCheck %s
// CHECK-COUNT-11: 0 stores, 5 switches, 0 xchg left: complete and exact
// RUN: %proven-cxx %s %t.t --cover all -- "-O2 -fsanitize=thread" \
// RUN:   "-O0 -fsanitize=thread" | FileCheck %s --check-prefix=CALLS
// CALLS-COUNT-2: 0 stores, 0 switches, 0 xchg left, 0 mfence left: complete and exact
// RUN: %proven-cxx %s %t.n --cover exchange --xchg 2 -- \
// RUN:   "-O2 -fnon-call-exceptions" "-O0 -fnon-call-exceptions" \
// RUN:   "-O2 -fnon-call-exceptions -fPIC -m32" | FileCheck %s --check-prefix=LEFT
// LEFT-COUNT-3: 0 stores, 3 switches, 2 xchg left: complete and exact

int one(int *p, int v) { return __atomic_exchange_n(p, v, 5); }
bool flag(char *p) { return __atomic_test_and_set(p, 5); }
short *indirect(short *p) {
  static short v, r;
  __atomic_exchange(p, &v, &r, 5);
  return &r;
}
void use(int);
int handled(int *p) {
  try {
    int old = __atomic_exchange_n(p, 3, 5);
    use(old);
    return old;
  } catch (...) {
    return __atomic_test_and_set(p, 5);
  }
}
