// SPDX-License-Identifier: MIT
//
// Writing into the process's own text, which is mapped read-only.
//
// First through /proc/thread-self/mem: the kernel writes where a debugger
// could, so no page is writable and executable at any moment, no mapping is
// split, and other threads can run the page meanwhile. Policies against
// writable code (MemoryDenyWriteExecute) do not forbid it.
//
// Where that is refused, by mprotect of just the page: writable and executable
// for the time of a few stores, because the page may hold the very code that
// does it.
//
// If both are refused, the page stays as it is.

#include "text.h"
#include "system-call.h"

#include <asm/statfs.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/mman.h>

namespace uplock {

namespace {

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

void TextWriter::write(uint8_t *address, uint8_t value) {
  auto offset = reinterpret_cast<uintptr_t>(address) % page_size;
  if (address - offset != page) {
    flush();
    page = address - offset;
    for (size_t i = 0; i < page_size; i++)
      copy[i] = page[i];
    first = last = offset;
  }
  copy[offset] = value;
  first = offset < first ? offset : first;
  last = offset > last ? offset : last;
  pending++;
  // What lies between two sites may be data.
  if (protection & PROT_WRITE)
    flush();
}

void TextWriter::flush() {
  if (pending && !write_through_proc() && !write_through_mprotect())
    refused_count += pending;
  pending = 0;
  page = nullptr;
}

bool TextWriter::write_through_proc() {
  if (fd == unopened)
    fd = open_own_memory();
  auto size = static_cast<long>(last - first + 1);
  // What it is in a strange /proc is shown by what became of the text.
  return fd >= 0 &&
         write_file_at(fd, copy + first, size,
                       reinterpret_cast<uintptr_t>(page + first)) == size &&
         equal(page + first, copy + first, size);
}

bool TextWriter::write_through_mprotect() {
  if (protect_memory(page, page_size, protection | PROT_WRITE) < 0)
    return false;
  for (size_t i = first; i <= last; i++)
    if (page[i] != copy[i])
      const_cast<volatile uint8_t *>(page)[i] = copy[i];
  protect_memory(page, page_size, protection);
  return true;
}

} // namespace uplock
