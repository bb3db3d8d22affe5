// SPDX-License-Identifier: MIT
//
// A recursive mutex of the kind that kernels use: one atomic counter decides.
//
// `count` is the holder plus all who wait. Whoever raises it from 0 has the
// mutex; whoever lowers it to 0 has left nobody behind. Both are one locked
// instruction, and as long as there is no contention nothing else is shared:
// `owner` and `depth` serve the recursion and are plain memory. That is the
// fast path of the mutex of OSv (core/lfmutex.cc), written anew. OSv adds a
// lock-free queue of waiters; here a semaphore is enough, and it costs a system
// call where a kernel would switch threads.
//
// There is nothing about uplock in this file, and that is the point.

#ifndef EXAMPLES_MUTEX_H
#define EXAMPLES_MUTEX_H

#include <atomic>
#include <semaphore.h>

class Mutex {
public:
  Mutex() { sem_init(&handovers, 0, 0); }
  ~Mutex() { sem_destroy(&handovers); }
  Mutex(const Mutex &) = delete;
  Mutex &operator=(const Mutex &) = delete;

  // The same thread may lock again; it unlocks as many times.
  void lock();
  void unlock(); // only by the thread that holds it

private:
  void take();
  void recurse_or_wait();

  std::atomic<unsigned> count{0};
  unsigned depth = 0; // how many times the owner locked
  std::atomic<const void *> owner{nullptr};
  sem_t handovers; // unlocks that leave the mutex to one who waits
};

#endif
