// SPDX-License-Identifier: MIT
//
// Writing into the process's own text.

#ifndef UPLOCK_TEXT_H
#define UPLOCK_TEXT_H

#include "elf-image.h"

namespace uplock {

// Collects the changes to one page and writes them with one system call, so
// that the cost grows with the pages touched and not with the sites. The last
// page needs a flush().
class TextWriter {
public:
  // PROTECTION: the PROT_* of the text's pages, restored where it has to be
  // changed.
  explicit TextWriter(int protection) : protection(protection) {}
  ~TextWriter();
  TextWriter(const TextWriter &) = delete;
  TextWriter &operator=(const TextWriter &) = delete;

  // Sets the byte at ADDRESS when its page is flushed.
  void write(uint8_t *address, uint8_t value);
  void flush();

  // How many writes did not reach memory so far.
  size_t refused() const { return refused_count; }

private:
  int protection;
  int fd = unopened;
  uint8_t *page = nullptr;
  uint8_t copy[page_size];
  size_t first = 0, last = 0; // changed bytes lie between, both included
  size_t pending = 0;
  size_t refused_count = 0;

  static constexpr int unopened = -1000;

  bool write_through_proc();
  bool write_through_mprotect();
};

} // namespace uplock

#endif
