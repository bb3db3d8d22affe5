// A piece of code in memory with a table, for tests of the freestanding core.
#include "uplock.h"
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

// Instructions, one after the other, and a table that names each.
struct Image {
  std::vector<unsigned char> text;
  std::vector<int32_t> table;
  std::vector<size_t> starts;

  void add(std::vector<unsigned char> insn) {
    starts.push_back(text.size());
    text.insert(text.end(), insn.begin(), insn.end());
  }

  // The entries are relative to their own place: make them last.
  void index() {
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
