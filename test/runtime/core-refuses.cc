// SPDX-License-Identifier: GPL-3.0-or-later
//
// What does not look as expected is left alone and counted: wrong bytes,
// entries outside of the text, prefixes up to its very end, forms that could
// not be read back, and bytes that the writer will not write.
// RUN: %cxx -O1 -fsanitize=address,undefined -I%root/runtime %s \
// RUN:   %root/runtime/uplock.cc -o %t
// RUN: %t | FileCheck %s
#include "Inputs/image.h"

static int refuse(void *count, uint8_t *, uint8_t) {
  ++*static_cast<int *>(count);
  return 0;
}

int main() {
  Image image;
  image.add({0x90});                                     // nop
  image.add({0x83, 0x00, 0x01});                         // addl, no prefix
  image.add({0x0f, 0xf0, 0x00});                         // lddqu, no prefix
  image.add({0x48, 0xf0, 0x83, 0x00, 0x01});             // REX goes unused
  image.add({0xf0, 0x3e, 0x83, 0x00, 0x01});             // lock; addl %ds:
  image.add(std::vector<unsigned char>(16, 0x66));       // no instruction
  image.add({0x66});                                     // cut off
  image.index();
  auto before = image.text;
  print("up", image.apply(UPLOCK_UP));
  printf("untouched: %d\n", image.text == before);
  // CHECK:      up: 7 sites, 0 changed, 0 already, 7 mismatched, 0 refused
  // CHECK-NEXT: untouched: 1

  Image outside;
  outside.add({0xf0, 0x83, 0x00, 0x01});
  outside.add({0xf0, 0x83, 0x00, 0x01});
  outside.index();
  outside.table[0] -= 1;                 // one byte in front of the text
  outside.table[1] += 4;                 // just behind it
  outside.table.push_back(INT32_MAX);
  outside.table.push_back(INT32_MIN);
  outside.table.push_back(1);
  before = outside.text;
  print("outside", outside.apply(UPLOCK_UP));
  // CHECK-NEXT: outside: 5 sites, 0 changed, 0 already, 5 mismatched

  Image refused;
  refused.add({0xf0, 0x83, 0x00, 0x01});
  refused.index();
  int asked = 0;
  print("refused", refused.apply(UPLOCK_UP, refuse, &asked));
  printf("asked %d, byte %02x\n", asked, refused.text[0]);
  // CHECK-NEXT: refused: 1 sites, 0 changed, 0 already, 0 mismatched, 1 refused
  // CHECK-NEXT: asked 1, byte f0
}
