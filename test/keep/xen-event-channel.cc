// SPDX-License-Identifier: GPL-3.0-or-later
//
// A Xen event channel in C++, in a file full of patched code: the shared page
// is a class whose members are kept (see xen-event-channel.c for the reasons).
// RUN: for o in 0 1 2 3 s; do \
// RUN:   %cxx -O$o -c %s %uplock -fplugin-arg-uplock-cover=all -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s \
// RUN:     --implicit-check-not='{{^(bool |void )?Shared.* [1-9][0-9]* recorded}}' \
// RUN:     --implicit-check-not='{{^std::.* [1-9][0-9]* locked}}' || exit; \
// RUN: done
#include <atomic>

using Word = std::atomic<unsigned long>;

#pragma uplock keep
class SharedPage {
  Word pending[64], mask_bits[64];

public:
  template <class Port> bool test_and_set_mask(Port port) {
    unsigned long bit = 1ul << port % 64;
    return mask_bits[port / 64].fetch_or(bit) & bit;
  }
  bool test_and_clear_pending(unsigned port) {
    unsigned long bit = 1ul << port % 64;
    return pending[port / 64].fetch_and(~bit) & bit;
  }
  bool unmask(unsigned port);
};
#pragma uplock pop

// Outside the region: the attribute.
[[uplock::keep]] bool SharedPage::unmask(unsigned port) {
  unsigned long bit = 1ul << port % 64;
  mask_bits[port / 64] &= ~bit;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  return pending[port / 64].load(std::memory_order_relaxed) & bit;
}
// CHECK-DAG: {{^}}SharedPage::unmask(unsigned int): 2 locked, 0 recorded

Word handlers[64];
std::atomic<int> bound;

bool bind_port(SharedPage &shared, unsigned port) {
  bound++;
  unsigned long bit = 1ul << port % 64;
  return (handlers[port / 64].fetch_or(bit) & bit) ||
         shared.test_and_set_mask(port) || shared.test_and_clear_pending(port);
}
// CHECK-DAG: {{^}}bind_port(SharedPage&, unsigned int): 2 locked, 2 recorded
// CHECK-DAG: {{^}}bool SharedPage::test_and_set_mask<unsigned int>(unsigned int){{.*}}: 1 locked, 0 recorded
// CHECK-DAG: {{^}}SharedPage::test_and_clear_pending(unsigned int){{.*}}: 1 locked, 0 recorded
