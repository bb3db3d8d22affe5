// SPDX-License-Identifier: MIT
//
// What stands around an atomic operation in a real program: stores that miss
// the caches, and other work.
//
// A loop of nothing but lock and unlock measures a locked instruction at its
// cheapest: the cache line is there, and no store is on its way. Real code has
// just written to something. A locked instruction cannot complete before every
// earlier store has reached the cache, so it waits for a miss that a plain
// instruction would have left behind in the store buffer.
//
// A processor hides some of that by running ahead: in a short loop it fetches
// the line for the next iteration while this one waits. Hence the work: more
// instructions than a processor can look ahead, none of which needs what was
// stored. It gives the miss something to overlap with, if nothing forbids it.

#ifndef EXAMPLES_WORKLOAD_H
#define EXAMPLES_WORKLOAD_H

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <sys/mman.h>

// Stores to lines that no cache holds: each at a random place in 256 MB.
class ColdStore {
public:
  void operator()() {
    // The place comes from a register and never from memory (Knuth's MMIX
    // generator), so that one store need not wait for another.
    random = random * 6364136223846793005u + 1442695040888963407u;
    lines[random >> (64 - line_bits)].word = random;
  }

private:
  struct alignas(64) Line {
    uint64_t word;
  };
  static constexpr int line_bits = 22;
  static constexpr size_t size = sizeof(Line) << line_bits;
  static constexpr size_t huge_page = 2 << 20, page = 4096;

  // Huge pages keep TLB misses out of the measurement, where there are any.
  static Line *allocate() {
    auto memory = static_cast<char *>(std::aligned_alloc(huge_page, size));
    if (!memory) {
      std::fprintf(stderr, "no memory: %zu bytes are needed\n", size);
      std::exit(1);
    }
    madvise(memory, size, MADV_HUGEPAGE);
    for (size_t i = 0; i < size; i += page)
      memory[i] = 1;
    return reinterpret_cast<Line *>(memory);
  }

  static inline Line *const memory = allocate();
  static inline uint64_t seed = 0;

  Line *const lines = memory;
  uint64_t random = ++seed << 32; // a new path: the last one's lines are warm
};

// The other work: a checksum, as of a packet that is in the first-level cache.
// 128 bytes are some 600 instructions. noipa, or the compiler would do it once.
inline uint8_t packet[128];

[[gnu::noipa]] inline uint32_t work() {
  uint32_t sum = 1, sum_of_sums = 0;
  for (uint8_t byte : packet) {
    sum += byte;
    sum_of_sums += sum;
  }
  return sum_of_sums << 16 ^ sum;
}

#endif
