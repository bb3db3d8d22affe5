// SPDX-License-Identifier: MIT
//
// What a mutex pair costs: alone, around a store that misses the caches, and
// with other work after it.
//
// The last row has no locked instruction at all. It can gain nothing, so it
// tells how much of a difference is noise, and what store and work cost alone.

#include "mutex.h"
#include "workload.h"

#include <benchmark/benchmark.h>

static void bare(benchmark::State &state) {
  Mutex mutex;
  for (auto _ : state) {
    mutex.lock();
    mutex.unlock();
  }
}
BENCHMARK(bare)->Name("lock, unlock");

static void with_store(benchmark::State &state) {
  Mutex mutex;
  ColdStore store;
  for (auto _ : state) {
    mutex.lock();
    store();
    mutex.unlock();
  }
}
BENCHMARK(with_store)->Name("lock, store, unlock");

static void with_work(benchmark::State &state) {
  Mutex mutex;
  ColdStore store;
  for (auto _ : state) {
    mutex.lock();
    store();
    mutex.unlock();
    work();
  }
}
BENCHMARK(with_work)->Name("lock, store, unlock, work");

static void no_mutex(benchmark::State &state) {
  ColdStore store;
  for (auto _ : state) {
    store();
    work();
  }
}
BENCHMARK(no_mutex)->Name("no mutex: store, work");

BENCHMARK_MAIN();
