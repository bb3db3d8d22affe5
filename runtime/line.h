// SPDX-License-Identifier: MIT
//
// A line for standard error, written at once, without libc's streams.

#ifndef UPLOCK_LINE_H
#define UPLOCK_LINE_H

#include "system-call.h"

namespace uplock {

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
  void print() {
    buffer[size++] = '\n';
    write_file(2, buffer, size);
  }

private:
  char buffer[1000];
  size_t size = 0;
};

} // namespace uplock

#endif
