// SPDX-License-Identifier: GPL-3.0-or-later
//
// A piece of code in memory with a table, for tests of the freestanding core.
#include "uplock.h"
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <sys/mman.h>
#include <vector>

// Memory that an int32_t can reach from any other of its kind (the heap of
// -fsanitize=address is wider), up to a page that cannot be read.
template <class T> struct NearAllocator {
  using value_type = T;
  NearAllocator() = default;
  template <class U> NearAllocator(const NearAllocator<U> &) {}

  static constexpr size_t page = 4096;
  static size_t mapped(size_t count) {
    return (count * sizeof(T) + page - 1) / page * page;
  }
  T *allocate(size_t count) {
    int flags = MAP_PRIVATE | MAP_ANONYMOUS;
#ifdef MAP_32BIT
    flags |= MAP_32BIT;
#endif
    size_t size = mapped(count);
    void *memory = mmap(nullptr, size + page, PROT_READ | PROT_WRITE, flags,
                        -1, 0);
    if (memory == MAP_FAILED)
      abort();
    mprotect(static_cast<char *>(memory) + size, page, PROT_NONE);
    return reinterpret_cast<T *>(static_cast<char *>(memory) + size) - count;
  }
  void deallocate(T *first, size_t count) {
    size_t size = mapped(count);
    munmap(reinterpret_cast<char *>(first + count) - size, size + page);
  }
  bool operator==(const NearAllocator &) const { return true; }
  bool operator!=(const NearAllocator &) const { return false; }
};

// Instructions, one after the other, and a table that names each.
struct Image {
  std::vector<unsigned char, NearAllocator<unsigned char>> text;
  std::vector<int32_t, NearAllocator<int32_t>> table;
  std::vector<size_t> starts;

  void add(std::vector<unsigned char> insn) {
    starts.push_back(text.size());
    text.insert(text.end(), insn.begin(), insn.end());
  }

  // The entries are relative to their own place: make them last.
  void index() {
    text.shrink_to_fit();
    table.resize(starts.size());
    for (size_t i = 0; i < starts.size(); i++)
      table[i] = static_cast<int32_t>(
          reinterpret_cast<intptr_t>(&text[starts[i]]) -
          reinterpret_cast<intptr_t>(&table[i]));
  }

  uplock_counts apply(uplock_mode mode, uplock_write write = nullptr,
                      void *context = nullptr) {
    uplock_text bounds{text.data(), text.data() + text.size(), write, context};
    return uplock_apply(table.data(), table.data() + table.size(), &bounds,
                        mode);
  }

  void print(const char *name) const {
    printf("%s:", name);
    for (size_t i = 0; i < text.size(); i++) {
      for (size_t start : starts)
        if (start == i && i)
          printf(" |");
      printf(" %02x", text[i]);
    }
    printf("\n");
  }
};

inline void print(const char *name, const uplock_counts &counts) {
  printf("%s: %zu sites, %zu changed, %zu already, %zu mismatched, "
         "%zu refused\n",
         name, counts.sites, counts.changed, counts.already, counts.mismatched,
         counts.refused);
}
