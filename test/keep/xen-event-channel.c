// SPDX-License-Identifier: GPL-3.0-or-later
//
// A Xen event channel in a file full of patched code. The shared page's bits
// are set by the hypervisor, on another CPU: test-and-set and the like must
// keep their locks (Linux, sync_bitops; OSv, core/xen_intr.cc), while the same
// operations on the guest's own bits are patched.
// RUN: for o in 0 1 2 3 s; do \
// RUN:   %gcc -O$o -c %s %uplock -fplugin-arg-uplock-cover=all -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s \
// RUN:     --implicit-check-not='{{^sync_.* [1-9][0-9]* recorded}}' || exit; \
// RUN: done
#include <stdbool.h>

typedef unsigned long word;

struct shared_info {
  word pending[64], mask[64];
};
struct vcpu_info {
  unsigned char upcall_pending, upcall_mask;
  word pending_sel;
};

static inline bool test_and_set_bit(word *bits, unsigned n) {
  word bit = 1ul << n % 64;
  return __atomic_fetch_or(bits + n / 64, bit, 5) & bit;
}

__attribute__((uplock_keep)) static inline bool
sync_test_and_set_bit(word *bits, unsigned n) {
  word bit = 1ul << n % 64;
  return __atomic_fetch_or(bits + n / 64, bit, 5) & bit;
}

__attribute__((uplock_keep)) static inline void sync_clear_bit(word *bits,
                                                               unsigned n) {
  __atomic_fetch_and(bits + n / 64, ~(1ul << n % 64), 5);
}

// Old style, as in headers that come from elsewhere.
__attribute__((uplock_keep)) static inline void sync_set_bit(word *bits,
                                                             unsigned n) {
  asm volatile("lock; btsq %1, %0" : "+m"(*bits) : "Jr"((word)n) : "memory");
}

__attribute__((uplock_keep)) bool unmask(struct shared_info *shared,
                                         struct vcpu_info *vcpu, unsigned port) {
  sync_clear_bit(shared->mask, port);
  if (!(__atomic_load_n(&shared->pending[port / 64], 5) >> port % 64 & 1))
    return false;
  sync_set_bit(&vcpu->pending_sel, port / 64);
  __atomic_store_n(&vcpu->upcall_pending, 1, 5);
  return !vcpu->upcall_mask;
}
// CHECK-DAG: {{^}}unmask: {{[1-3]}} locked, 0 recorded

__attribute__((uplock_keep)) word take_pending(struct vcpu_info *vcpu) {
  __atomic_store_n(&vcpu->upcall_pending, 0, 5);
  return __atomic_exchange_n(&vcpu->pending_sel, 0, 5);
}
// CHECK-DAG: {{^}}take_pending: 2 locked, 0 recorded

word handlers[64];
int bound;

// The guest's own table: patched, beside a call to the kept one.
bool bind_port(struct shared_info *shared, unsigned port) {
  __atomic_fetch_add(&bound, 1, 5);
  return test_and_set_bit(handlers, port) ||
         sync_test_and_set_bit(shared->mask, port);
}
// At -O0 test_and_set_bit is a function.
// CHECK-DAG: {{^}}bind_port: [[N:[12]]] locked, [[N]] recorded
