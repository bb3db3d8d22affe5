// SPDX-License-Identifier: MIT
//
// One row for each kind of coverage, in its barest form, and a queue that has
// several. scripts/bench builds and runs it.

#include "../examples/workload.h"

#include <atomic>
#include <benchmark/benchmark.h>
#include <boost/lockfree/queue.hpp>

static std::atomic<long> cell;
static std::atomic<long> other;

static void rmw(benchmark::State &state) {
  for (auto _ : state)
    cell.fetch_add(1);
}
BENCHMARK(rmw)->Name("rmw: fetch_add");

static void store(benchmark::State &state) {
  long value = 0;
  for (auto _ : state)
    cell.store(++value);
}
BENCHMARK(store)->Name("store: seq_cst store");

// Dekker's entry: a store, a fence, a look at the other side.
static void fence(benchmark::State &state) {
  long seen = 0, value = 0;
  for (auto _ : state) {
    cell.store(++value, std::memory_order_relaxed);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    seen += other.load(std::memory_order_relaxed);
  }
  benchmark::DoNotOptimize(seen);
}
BENCHMARK(fence)->Name("fence: Dekker entry");

static void spinlock(benchmark::State &state) {
  std::atomic_flag flag = ATOMIC_FLAG_INIT;
  benchmark::DoNotOptimize(flag);
  for (auto _ : state) {
    while (flag.test_and_set(std::memory_order_acquire))
      ;
    flag.clear(std::memory_order_release);
  }
}
BENCHMARK(spinlock)->Name("exchange: t_a_s spinlock");

static void exchange(benchmark::State &state) {
  long value = 0;
  for (auto _ : state)
    value += cell.exchange(value);
  benchmark::DoNotOptimize(value);
}
BENCHMARK(exchange)->Name("exchange: result used");

// A locked instruction waits for the store before it.
static void exchange_behind_store(benchmark::State &state) {
  ColdStore cold;
  long value = 0;
  for (auto _ : state) {
    cold();
    value += cell.exchange(value);
    work();
  }
  benchmark::DoNotOptimize(value);
}
BENCHMARK(exchange_behind_store)->Name("exchange: behind a store, work");

static void queue(benchmark::State &state) {
  boost::lockfree::queue<int> items(16);
  int item = 42;
  for (auto _ : state) {
    items.push(item);
    items.pop(item);
  }
}
BENCHMARK(queue)->Name("Boost.Lockfree queue");

BENCHMARK_MAIN();
