// SPDX-License-Identifier: MIT
//
// The kernel's two locks. There is nothing about uplock in this file, and that
// is the point.

#ifndef KERNEL_LOCKS_H
#define KERNEL_LOCKS_H

#include <atomic>
#include <cstdint>

#include "machine.h"

void yield(); // threads.h

// For the few things that are done with interrupts off. On one CPU nobody ever
// waits for it.
class Spinlock {
public:
  void lock() {
    while (held.fetch_or(1, std::memory_order_acquire) & 1)
      while (held.load(std::memory_order_relaxed))
        pause();
  }

  void unlock() { held.store(0, std::memory_order_release); }

private:
  std::atomic<int> held{0};
};

// For threads. Whoever does not get it lets others run.
class Mutex {
public:
  void lock() {
    int unlocked = 0;
    while (!held.compare_exchange_weak(unlocked, 1, std::memory_order_acquire,
                                       std::memory_order_relaxed)) {
      unlocked = 0;
      yield();
    }
  }

  void unlock() { held.fetch_sub(1, std::memory_order_release); }

private:
  std::atomic<int> held{0};
};

#endif
