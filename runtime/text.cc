// SPDX-License-Identifier: MIT
//
// Writing into the process's own text, which is mapped read-only.
//
// First through /proc/thread-self/mem: the kernel writes where a debugger
// could, so no page is writable and executable at any moment, no mapping is
// split, and other threads can run the page meanwhile. Policies against
// writable code (MemoryDenyWriteExecute) do not forbid it.
//
// Where that is refused, by mprotect of just the pages: writable and executable
// for the time of a few stores, because they may hold the very code that does
// it.
//
// If both are refused, the pages stay as they are.

#include "text.h"
#include "system-call.h"

#include <asm/statfs.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>

namespace uplock {

uint8_t TextWriter::copy[];

namespace {

// Pages are copied and compared by words: by bytes it would take as long as the
// kernel takes to write them.
typedef uintptr_t Word __attribute__((may_alias));

Word &word_at(uint8_t *place) { return *reinterpret_cast<Word *>(place); }

// Opens this process's memory. What is not of the kernel's own /proc is not
// written to: a file that something else put there would be changed, and could
// kill the program (SIGXFSZ).
int open_own_memory() {
  // Not /proc/self: that is the first thread, which may have ended.
  int fd = open_file("/proc/thread-self/mem", O_RDWR | O_CLOEXEC);
  struct statfs system;
  if (fd >= 0 && (system_call(__NR_fstatfs, fd, as_argument(&system)) < 0 ||
                  system.f_type != PROC_SUPER_MAGIC)) {
    close_file(fd);
    return -EACCES;
  }
  return fd;
}

} // namespace

TextWriter::~TextWriter() {
  if (fd >= 0)
    close_file(fd);
}

void TextWriter::add_page(uint8_t *page) {
  if (page != pages + size || size == sizeof copy) {
    flush();
    pages = page;
  }
  for (size_t i = 0; i < page_size; i += sizeof(Word))
    word_at(copy + size + i) = word_at(page + i);
  size += page_size;
}

void TextWriter::write(uint8_t *address, uint8_t value) {
  auto page = address - reinterpret_cast<uintptr_t>(address) % page_size;
  if (page < pages || page >= pages + size)
    add_page(page);
  size_t offset = address - pages;
  copy[offset] = value;
  first = pending && first < offset ? first : offset;
  last = pending && last > offset ? last : offset;
  pending++;
  // What lies between two sites may be data.
  if (protection & PROT_WRITE)
    flush();
}

void TextWriter::flush() {
  if (pending && !write_through_proc() && !write_through_mprotect())
    refused_count += count_missing();
  pending = 0;
  size = 0;
  pages = nullptr;
}

// The kernel stops at the first page that it cannot write: those before it have
// been written. What somebody else has written meanwhile is not one of ours.
size_t TextWriter::count_missing() const {
  size_t missing = 0;
  for (size_t i = first; i <= last; i++)
    missing += pages[i] != copy[i];
  return missing < pending ? missing : pending;
}

bool TextWriter::write_through_proc() {
  if (fd == unopened)
    fd = open_own_memory();
  auto length = static_cast<long>(last - first + 1);
  // What it is in a strange /proc is shown by what became of the text.
  return fd >= 0 &&
         write_file_at(fd, copy + first, length,
                       reinterpret_cast<uintptr_t>(pages + first)) == length &&
         is_written();
}

bool TextWriter::is_written() const {
  for (size_t i = first - first % sizeof(Word); i <= last; i += sizeof(Word))
    if (word_at(pages + i) != word_at(copy + i))
      return false;
  return true;
}

bool TextWriter::write_through_mprotect() {
  bool is_writable = protect_memory(pages, size, protection | PROT_WRITE) >= 0;
  for (size_t i = first; is_writable && i <= last; i++)
    if (pages[i] != copy[i])
      const_cast<volatile uint8_t *>(pages)[i] = copy[i];
  // Also where it was refused: the pages before the one that was have changed.
  protect_memory(pages, size, protection);
  return is_writable;
}

} // namespace uplock
