// SPDX-License-Identifier: GPL-3.0-or-later
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

bool rust_is_exact(uint64_t threads, uint64_t rounds);

int main(void) {
  bool exact = rust_is_exact(8, 20000);
  puts(exact ? "exact" : "not exact");
  return !exact;
}
