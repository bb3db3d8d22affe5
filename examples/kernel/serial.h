// SPDX-License-Identifier: MIT
//
// The serial line, and how the machine is switched off.

#ifndef KERNEL_SERIAL_H
#define KERNEL_SERIAL_H

#include <cstddef>
#include <cstdint>

void serial_init();

struct Hex {
  uintptr_t value;
};

void print_one(const char *text);
void print_one(unsigned long number);
void print_one(Hex number);

inline void print_one(unsigned number) {
  print_one(static_cast<unsigned long>(number));
}

// Prints text and numbers one behind the other. By one thread at a time.
template <typename... Things> void print(Things... things) {
  (print_one(things), ...);
}

// Ends the run: with QEMU's -device isa-debug-exit,iobase=0xf4,iosize=4 its
// exit status is 33 if all is well, 35 if not. Without that device the CPU
// halts.
[[noreturn]] void finish(bool good);

template <typename... Things> [[noreturn]] void panic(Things... things) {
  print("panic: ", things..., "\n");
  finish(false);
}

#endif
