// SPDX-License-Identifier: MIT
//
// What it costs to copy a std::shared_ptr and to destroy the copy: one
// reference taken, one given back.
//
// libstdc++ counts without atomics as long as glibc says that the process has
// one thread (__libc_single_threaded). A process with one thread needs no
// uplock; one with many threads on one CPU does. So a second thread is started
// first, and sleeps.

#include "workload.h"

#include <benchmark/benchmark.h>
#include <memory>
#include <thread>
#include <unistd.h>

static void bare(benchmark::State &state) {
  auto object = std::make_shared<int>(42);
  for (auto _ : state)
    auto copy = object;
}
BENCHMARK(bare)->Name("copy, destroy");

static void with_store(benchmark::State &state) {
  auto object = std::make_shared<int>(42);
  ColdStore store;
  for (auto _ : state) {
    auto copy = object;
    store();
  }
}
BENCHMARK(with_store)->Name("copy, store, destroy");

static void with_work(benchmark::State &state) {
  auto object = std::make_shared<int>(42);
  ColdStore store;
  for (auto _ : state) {
    {
      auto copy = object;
      store();
    }
    work();
  }
}
BENCHMARK(with_work)->Name("copy, store, destroy, work");

int main(int argc, char **argv) {
  std::thread([] {
    for (;;)
      pause();
  }).detach();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
}
