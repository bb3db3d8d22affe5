// SPDX-License-Identifier: MIT
//
// See serial.h: a 16550 at the usual port, polled.

#include "serial.h"
#include "machine.h"

static constexpr uint16_t port = 0x3f8;
static constexpr uint16_t interrupt_enable = port + 1, fifo_control = port + 2,
                          line_control = port + 3, modem_control = port + 4,
                          line_status = port + 5;
static constexpr uint8_t divisor_latch = 0x80, eight_bits = 0x03,
                         fifo_on = 0x07, ready_to_send = 0x03,
                         transmitter_empty = 0x20;

static constexpr uint16_t debug_exit = 0xf4;
static constexpr uint32_t exit_good = 0x10, exit_bad = 0x11;

void serial_init() {
  out8(interrupt_enable, 0);
  out8(line_control, divisor_latch);
  out8(port, 1); // 115200 baud
  out8(interrupt_enable, 0);
  out8(line_control, eight_bits);
  out8(fifo_control, fifo_on);
  out8(modem_control, ready_to_send);
}

static void put(char c) {
  while (!(in8(line_status) & transmitter_empty))
    pause();
  out8(port, static_cast<uint8_t>(c));
}

void print_one(const char *text) {
  for (; *text; text++) {
    if (*text == '\n')
      put('\r');
    put(*text);
  }
}

void print_one(unsigned long number) {
  char digits[24], *first = digits + sizeof digits;
  *--first = 0;
  do
    *--first = static_cast<char>('0' + number % 10);
  while (number /= 10);
  print_one(first);
}

void print_one(Hex number) {
  put('0');
  put('x');
  bool started = false;
  for (int shift = sizeof(uintptr_t) * 8 - 4; shift >= 0; shift -= 4) {
    auto digit = number.value >> shift & 0xf;
    if (digit || started || !shift) {
      put("0123456789abcdef"[digit]);
      started = true;
    }
  }
}

void finish(bool good) {
  print(good ? "good\n" : "BAD\n");
  out32(debug_exit, good ? exit_good : exit_bad);
  halt();
}
