// SPDX-License-Identifier: MIT
//
// See mutex.h. In a file of its own, as it would be in a kernel or a library:
// callers call it.

#include "mutex.h"

namespace {

// Its address tells the threads apart.
thread_local const char self = 0;

} // namespace

inline void Mutex::take() {
  owner.store(&self, std::memory_order_relaxed);
  depth = 1;
}

void Mutex::lock() {
  if (count.fetch_add(1, std::memory_order_acquire) != 0)
    return recurse_or_wait();
  take();
}

// The slow path, out of the way of the other one.
[[gnu::cold, gnu::noinline]] void Mutex::recurse_or_wait() {
  // Only this thread ever stores its own address, so no order is needed.
  if (owner.load(std::memory_order_relaxed) == &self) {
    count.fetch_sub(1, std::memory_order_relaxed);
    depth++;
    return;
  }
  // One unlock hands the mutex over to one of those who wait. A signal handler
  // that ran meanwhile is the only way to fail.
  while (sem_wait(&handovers) != 0) {
  }
  take();
}

void Mutex::unlock() {
  if (--depth != 0)
    return;
  owner.store(nullptr, std::memory_order_relaxed);
  if (count.fetch_sub(1, std::memory_order_release) != 1)
    sem_post(&handovers);
}
