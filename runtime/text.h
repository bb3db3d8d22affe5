// SPDX-License-Identifier: MIT
//
// Writing into the process's own text.

#ifndef UPLOCK_TEXT_H
#define UPLOCK_TEXT_H

#include "elf-image.h"

namespace uplock {

// Collects the changes to pages that follow each other and writes them with one
// system call, so that the cost grows with the pages touched and not with the
// sites. The last ones need a flush(). One writer at a time.
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
  // A page that is written for the first time costs about 4 us, the system call
  // 2 more (a VM on AMD EPYC Milan): 8 pages share one. Not on the stack: it
  // may be a small thread's that loads a module.
  static constexpr size_t max_pages = 8;
  alignas(uintptr_t) static uint8_t copy[max_pages * page_size];

  int protection;
  int fd = unopened;
  uint8_t *pages = nullptr;   // the first of those that are copied
  size_t size = 0;            // of all of them
  size_t first = 0, last = 0; // changed bytes lie between, both included
  size_t pending = 0;
  size_t refused_count = 0;

  static constexpr int unopened = -1000;

  void add_page(uint8_t *page);
  size_t count_missing() const; // of the pending, when writing has failed
  bool write_through_proc();
  bool is_written() const;
  bool write_through_mprotect();
};

} // namespace uplock

#endif
