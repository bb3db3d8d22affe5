// SPDX-License-Identifier: MIT
//
// A line for standard error, written at once, without libc's streams, and only
// to what was descriptor 2 when the program was executed: a program that was
// started without, or that closes it, gets the number for a file of its own.

#ifndef UPLOCK_LINE_H
#define UPLOCK_LINE_H

#include "system-call.h"

#include <fcntl.h>

namespace uplock {

struct StandardError {
  int32_t is_known; // otherwise the rest says nothing
  int32_t is_open;
  uint64_t device, inode;
};

// What descriptor 2 is now. Was it there from the first? A descriptor that is
// closed by exec was not.
inline StandardError inherited_standard_error() {
  struct stat64 file;
  if (system_call(__NR_fcntl, 2, F_GETFD) || get_status(2, file) < 0)
    return {true, false, 0, 0};
  return {true, true, file.st_dev, file.st_ino};
}

class Line {
public:
  Line() { *this << "uplock: "; }

  // Unprintable bytes become '?', and what does not fit is cut off: texts are
  // paths and what a user wrote.
  Line &operator<<(const char *text) {
    for (; *text && size < sizeof buffer - 1; text++)
      buffer[size++] = *text >= ' ' && *text != 0x7f ? *text : '?';
    return *this;
  }
  Line &operator<<(uint64_t number) {
    char digits[21];
    char *p = digits + sizeof digits;
    *--p = 0;
    do
      *--p = static_cast<char>('0' + number % 10);
    while (number /= 10);
    return *this << p;
  }
  // WANTED: what descriptor 2 must still be.
  void print(const StandardError &wanted) {
    StandardError now = inherited_standard_error();
    if (!wanted.is_open || !now.is_open || now.device != wanted.device ||
        now.inode != wanted.inode)
      return;
    buffer[size++] = '\n';
    write_file(2, buffer, size);
  }

private:
  char buffer[1000];
  size_t size = 0;
};

} // namespace uplock

#endif
