// SPDX-License-Identifier: MIT
//
// A lock-free queue of numbers, for any number of threads on both sides:
// Michael and Scott, "Simple, Fast, and Practical Non-Blocking and Blocking
// Concurrent Queue Algorithms", PODC 1996, with its free list.
//
// Every link is a word: the index of a node in the low byte, above it a counter
// that makes a link that has come back look different (the ABA problem). On
// i386 that leaves 24 bits. To be fooled, a thread would have to be preempted
// between two instructions for 16 million operations.

#ifndef KERNEL_QUEUE_H
#define KERNEL_QUEUE_H

#include <atomic>
#include <cstddef>
#include <cstdint>

class Queue {
public:
  // By one thread, before all others.
  void init() {
    for (Link i = 0; i < capacity; i++)
      nodes[i].next.store(i + 1 < capacity ? i + 1 : nil,
                          std::memory_order_relaxed);
    Link dummy = 0;
    free.store(1, std::memory_order_relaxed);
    nodes[dummy].next.store(nil, std::memory_order_relaxed);
    head.store(dummy, std::memory_order_relaxed);
    tail.store(dummy, std::memory_order_release);
  }

  // False if it is full.
  bool push(uintptr_t value) {
    Link node = take_free();
    if (node == nil)
      return false;
    nodes[node].value.store(value, std::memory_order_relaxed);
    relink(node, nil);
    for (;;) {
      Link last = tail.load();
      Link next = nodes[index(last)].next.load();
      if (last != tail.load())
        continue;
      if (index(next) != nil) {
        // Somebody was preempted here: do the rest of his work.
        tail.compare_exchange_strong(last, successor(last, index(next)));
      } else if (nodes[index(last)].next.compare_exchange_strong(
                     next, successor(next, node))) {
        tail.compare_exchange_strong(last, successor(last, node));
        return true;
      }
    }
  }

  // False if it is empty.
  bool pop(uintptr_t &value) {
    for (;;) {
      Link first = head.load();
      Link last = tail.load();
      Link next = nodes[index(first)].next.load();
      if (first != head.load())
        continue;
      if (index(next) == nil) {
        if (index(first) == index(last))
          return false;
      } else if (index(first) == index(last)) {
        tail.compare_exchange_strong(last, successor(last, index(next)));
      } else {
        uintptr_t found =
            nodes[index(next)].value.load(std::memory_order_relaxed);
        if (head.compare_exchange_strong(first,
                                         successor(first, index(next)))) {
          give_free(index(first));
          value = found;
          return true;
        }
      }
    }
  }

private:
  using Link = uintptr_t;
  static constexpr Link index_mask = 0xff, nil = 0xff, count = 0x100;
  static constexpr size_t capacity = 64;

  static Link index(Link link) { return link & index_mask; }
  static Link successor(Link link, Link node) {
    return ((link & ~index_mask) + count) | node;
  }

  // Of a node that nobody else may change.
  void relink(Link node, Link to) {
    Link old = nodes[node].next.load(std::memory_order_relaxed);
    nodes[node].next.store(successor(old, to), std::memory_order_release);
  }

  Link take_free() {
    Link first = free.load();
    for (;;) {
      if (index(first) == nil)
        return nil;
      Link next = nodes[index(first)].next.load();
      if (free.compare_exchange_weak(first, successor(first, index(next))))
        return index(first);
    }
  }

  void give_free(Link node) {
    Link first = free.load();
    do
      relink(node, index(first));
    while (!free.compare_exchange_weak(first, successor(first, node)));
  }

  struct Node {
    std::atomic<uintptr_t> value;
    std::atomic<Link> next;
  };
  Node nodes[capacity];
  std::atomic<Link> head, tail, free;
};

#endif
