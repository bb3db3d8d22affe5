// SPDX-License-Identifier: MIT
//
// What it costs to send one item through Boost.Lockfree's queue, which is used
// as Debian ships it: it is all templates, so its locked instructions are
// compiled here, and recorded like any others.

#include "workload.h"

#include <benchmark/benchmark.h>
#include <boost/lockfree/queue.hpp>

static constexpr size_t capacity = 16;

static void bare(benchmark::State &state) {
  boost::lockfree::queue<int> queue(capacity);
  int item = 42;
  for (auto _ : state) {
    queue.push(item);
    queue.pop(item);
  }
}
BENCHMARK(bare)->Name("push, pop");

static void with_store(benchmark::State &state) {
  boost::lockfree::queue<int> queue(capacity);
  ColdStore store;
  int item = 42;
  for (auto _ : state) {
    queue.push(item);
    store();
    queue.pop(item);
  }
}
BENCHMARK(with_store)->Name("push, store, pop");

static void with_work(benchmark::State &state) {
  boost::lockfree::queue<int> queue(capacity);
  ColdStore store;
  int item = 42;
  for (auto _ : state) {
    queue.push(item);
    store();
    queue.pop(item);
    work();
  }
}
BENCHMARK(with_work)->Name("push, store, pop, work");

BENCHMARK_MAIN();
