// SPDX-License-Identifier: MIT
//
// How fast the core patches: a text of as many locked instructions as the row
// says, as far apart, goes from one mode to the other and back. Beside it the
// same entries read and the same bytes stored without a look, which is what
// memory allows. Nanoseconds a site; scripts/bench builds and runs it.

#include "../runtime/uplock.h"

#include <benchmark/benchmark.h>
#include <cstring>
#include <memory>

namespace {

constexpr uint8_t instruction[] = {0xf0, 0xff, 0x07}; // lock incl (%rdi)
constexpr uint8_t lock_prefix = 0xf0, ds_prefix = 0x3e, nop = 0x90;

// The table first, as a distance must fit into an entry.
class Image {
public:
  Image(size_t sites, size_t apart)
      : sites(sites), size(sites * (sizeof(int32_t) + apart)),
        memory(new uint8_t[size]) {
    std::memset(begin(), nop, sites * apart);
    for (size_t i = 0; i < sites; i++) {
      uint8_t *insn = begin() + i * apart;
      std::memcpy(insn, instruction, sizeof instruction);
      table()[i] = insn - reinterpret_cast<uint8_t *>(table() + i);
    }
  }
  int32_t *table() { return reinterpret_cast<int32_t *>(memory.get()); }
  uint8_t *begin() { return memory.get() + sites * sizeof(int32_t); }
  uint8_t *end() { return memory.get() + size; }

  const size_t sites, size;

private:
  std::unique_ptr<uint8_t[]> memory;
};

void patch(Image &image, bool up) {
  uplock_text text{image.begin(), image.end(), nullptr, nullptr};
  auto counts = uplock_apply(image.table(), image.table() + image.sites, &text,
                             up ? UPLOCK_UP : UPLOCK_SMP);
  if (counts.changed != image.sites)
    abort();
}

void store(Image &image, bool up) {
  uint8_t value = up ? ds_prefix : lock_prefix;
  for (size_t i = 0; i < image.sites; i++) {
    auto entry = reinterpret_cast<uint8_t *>(image.table() + i);
    *const_cast<volatile uint8_t *>(entry + image.table()[i]) = value;
  }
}

template <void (*change)(Image &, bool)> void rate(benchmark::State &state) {
  Image image(state.range(0), state.range(1));
  bool up = false;
  for (auto _ : state)
    change(image, up = !up);
  state.SetItemsProcessed(state.iterations() * image.sites);
}

void arguments(benchmark::internal::Benchmark *benchmark) {
  for (long apart : {8, 64})
    for (long sites = 10; sites <= 10'000'000; sites *= 10)
      benchmark->Args({sites, apart});
}

BENCHMARK(rate<patch>)->Name("patch")->Apply(arguments);
BENCHMARK(rate<store>)->Name("store")->Apply(arguments);

} // namespace

BENCHMARK_MAIN();
