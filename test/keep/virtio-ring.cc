// SPDX-License-Identifier: GPL-3.0-or-later
//
// A virtio ring driver in a file full of patched code. The device runs on
// another CPU, also when the guest has one: what publishes a buffer and what
// looks whether the device wants to be told must stay ordered
// (OSv, drivers/virtio-vring.cc; virtio 1.2, 2.7.13). The driver's own lock and
// counters are the guest's business.
// RUN: for o in 0 1 2 3 s; do \
// RUN:   %cxx -O$o -c %s %uplock -fplugin-arg-uplock-cover=all -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s \
// RUN:     --implicit-check-not='{{^std::.* [1-9][0-9]* locked}}' \
// RUN:     --implicit-check-not='{{^.*(publish|must_kick|poll).* [1-9][0-9]* recorded}}' \
// RUN:   || exit; done
#include <atomic>
#include <cstdint>

struct Descriptor {
  uint64_t address;
  uint32_t length;
  uint16_t flags, next;
};

// Shared with the host.
struct Avail {
  std::atomic<uint16_t> flags, index;
  uint16_t ring[256];
};
struct Used {
  std::atomic<uint16_t> flags, index;
  std::atomic<uint16_t> avail_event;
};

class Ring {
  Descriptor descriptors[256];
  Avail *avail;
  Used *used;
  volatile uint16_t *doorbell;

  // The guest's alone.
  std::atomic_flag lock = ATOMIC_FLAG_INIT;
  std::atomic<unsigned> added{0}, kicks{0};
  uint16_t next = 0, told = 0;

  void publish(uint16_t head);
  bool must_kick();

public:
  bool add(uint64_t address, uint32_t length);
  void kick();
  bool poll(uint16_t seen);
};

// The entry must be visible before the index, and the index before the
// question: a release store and a full fence. (At -O0 GCC does not know the
// order of the store, and has an xchg for it too.)
[[uplock::keep]] void Ring::publish(uint16_t head) {
  uint16_t index = avail->index.load(std::memory_order_relaxed);
  avail->ring[index % 256] = head;
  avail->index.store(index + 1, std::memory_order_release);
  std::atomic_thread_fence(std::memory_order_seq_cst);
}
// CHECK-DAG: {{^}}Ring::publish(unsigned short): {{[12]}} locked, 0 recorded

[[uplock::keep]] inline bool Ring::must_kick() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  uint16_t event = used->avail_event.load(std::memory_order_relaxed);
  uint16_t index = avail->index.load(std::memory_order_relaxed);
  return uint16_t(index - event - 1) < uint16_t(index - told);
}

// Turning notifications off and on is a store that must not pass the look.
[[uplock::keep]] bool Ring::poll(uint16_t seen) {
  avail->flags = 0;
  return used->index.load() != seen;
}
// CHECK-DAG: {{^}}Ring::poll(unsigned short): 1 locked, 0 recorded

// All of this is patched: a spinlock, a counter.
bool Ring::add(uint64_t address, uint32_t length) {
  while (lock.test_and_set(std::memory_order_acquire))
    ;
  Descriptor &free = descriptors[next % 256];
  free.address = address;
  free.length = length;
  publish(next++);
  added++;
  lock.clear();
  return added > 200;
}
// CHECK-DAG: {{^}}Ring::add(unsigned long, unsigned int): 4 locked, 4 recorded

// It asks a kept function, and is itself patched.
void Ring::kick() {
  if (!must_kick())
    return;
  told = next;
  *doorbell = 0;
  kicks.fetch_add(1);
}
// CHECK-DAG: {{^}}Ring::kick(): 1 locked, 1 recorded
// CHECK-DAG: {{^}}Ring::must_kick(){{.*}}: 1 locked, 0 recorded
