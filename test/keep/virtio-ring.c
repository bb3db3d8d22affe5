// SPDX-License-Identifier: GPL-3.0-or-later
//
// A virtio ring driver in C, in a file full of patched code: the ring's half
// stands in a keep region (see virtio-ring.cc for the reasons).
// RUN: for o in 0 1 2 3 s; do \
// RUN:   %gcc -O$o -Wall -Werror -Wno-comment -c %s %uplock \
// RUN:     -fplugin-arg-uplock-cover=all -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s \
// RUN:     --implicit-check-not='{{^vring.* [1-9][0-9]* recorded}}' \
// RUN:   || exit; done
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct avail {
  _Atomic uint16_t flags, index;
  uint16_t ring[256];
};
struct used {
  _Atomic uint16_t flags, index, avail_event;
};
struct vring {
  struct avail *avail;
  struct used *used;
  volatile uint16_t *doorbell;
  atomic_flag lock;
  atomic_int references, kicks;
  uint16_t next, told;
};

static inline void put(struct vring *ring) {
  atomic_fetch_sub(&ring->references, 1);
}

#pragma uplock keep

static inline void vring_mb(void) { atomic_thread_fence(memory_order_seq_cst); }

static void vring_publish(struct vring *ring, uint16_t head) {
  uint16_t index =
      atomic_load_explicit(&ring->avail->index, memory_order_relaxed);
  ring->avail->ring[index % 256] = head;
  atomic_store_explicit(&ring->avail->index, index + 1, memory_order_release);
}

static bool vring_must_kick(struct vring *ring) {
  vring_mb();
  uint16_t event =
      atomic_load_explicit(&ring->used->avail_event, memory_order_relaxed);
  return (uint16_t)(ring->next - event - 1) <
         (uint16_t)(ring->next - ring->told);
}

bool vring_enable(struct vring *ring, uint16_t seen) {
  ring->avail->flags = 0;
  return ring->used->index != seen;
}
// CHECK-DAG: {{^}}vring_enable: 1 locked, 0 recorded

bool vring_disable_and_poll(struct vring *ring, uint16_t seen) {
  atomic_exchange(&ring->avail->flags, 1);
  put(ring); // patched elsewhere; here it is inlined, or a call
  return ring->used->index != seen;
}
// CHECK-DAG: {{^}}vring_disable_and_poll: {{[12]}} locked, 0 recorded

#pragma uplock pop

void add(struct vring *ring) {
  atomic_fetch_add(&ring->references, 1);
  while (atomic_flag_test_and_set(&ring->lock))
    ;
  vring_publish(ring, ring->next++);
  atomic_flag_clear(&ring->lock);
  put(ring);
}
// The exchange has two forms, and clearing is a store. At -O0 put is called.
// CHECK-DAG: {{^}}add: [[N:[45]]] locked, [[N]] recorded

void kick(struct vring *ring) {
  if (!vring_must_kick(ring))
    return;
  ring->told = ring->next;
  *ring->doorbell = 0;
  atomic_fetch_add(&ring->kicks, 1);
}
// CHECK-DAG: {{^}}kick: 1 locked, 1 recorded
