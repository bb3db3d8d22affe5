// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is no store and no switch is left alone and counted: an xchg with a LOCK
// prefix, one between registers, a test or a jump with a prefix, one that leads
// nowhere, other opcodes with 86 to 89, a9 and e9 elsewhere in them, and
// instructions that are cut off.
// RUN: %cxx -O1 -fsanitize=address,undefined -I%root/runtime %s \
// RUN:   %root/runtime/uplock.cc -o %t
// RUN: %t | FileCheck %s
#include "Inputs/image.h"

static int refuse(void *, uint8_t *, uint8_t) { return 0; }

static void run(const char *name, Image &image) {
  image.index();
  auto before = image.text;
  for (uplock_mode mode : {UPLOCK_UP, UPLOCK_SMP}) {
    uplock_counts counts = image.apply(mode);
    print(name, counts);
    printf("%zu locks, %zu stores, %zu exchanges, untouched: %d\n",
           counts.locks, counts.stores, counts.exchanges,
           image.text == before);
  }
}

int main() {
  Image image;
  image.add({0xf0, 0x87, 0x07});                   // lock xchgl
#ifdef __x86_64__
  image.add({0xf0, 0x48, 0x87, 0x07});             // lock xchgq
#else
  image.add({0x48, 0x87, 0x07});                   // dec, xchg
#endif
  image.add({0x66, 0xf0, 0x87, 0x07});             // lock xchgw
  image.add({0x87, 0xc8});                         // xchgl %ecx,%eax
  image.add({0x66, 0xa9, 0, 0});                   // test $0,%ax
  image.add({0x48, 0xa9, 0, 0, 0, 0});             // test $0,%rax
  image.add({0x3e, 0xa9, 0, 0, 0, 0});             // a prefix
  image.add({0x2e, 0xe9, 0, 0, 0, 0});             // jmp with one
  image.add({0xf2, 0xe9, 0, 0, 0, 0});             // bnd jmp
  image.add({0xa8, 0x87});                         // test $imm8,%al
  image.add({0xeb, 0x87});                         // jmp short
  image.add({0xe8, 0, 0, 0, 0});                   // call
  image.add({0x0f, 0x87, 0, 0, 0, 0});             // ja
  image.add({0x85, 0x07});                         // test
  image.add({0x8b, 0x07});                         // mov, the other way
  image.add({0x90, 0x87, 0x07});                   // nop, xchg
  run("wrong", image);
  // CHECK:      wrong: 16 sites, 0 changed, 0 already, 16 mismatched, 0 refused
  // CHECK-NEXT: 0 locks, 0 stores, 0 exchanges, untouched: 1
  // CHECK-NEXT: wrong: 16 sites, 0 changed, 0 already, 16 mismatched, 0 refused
  // CHECK-NEXT: 0 locks, 0 stores, 0 exchanges, untouched: 1

  // Only the operand's first bytes are read, never what is behind the text.
  for (std::vector<unsigned char> cut :
       {std::vector<unsigned char>{0x87}, {0x66, 0x64}, {0x48}, {0xa9, 0, 0}}) {
    Image image;
    image.add(cut);
    run("cut", image);
  }
  // CHECK-COUNT-8: cut: 1 sites, 0 changed, 0 already, 1 mismatched, 0 refused

  // As a jmp it would leave the text, or lead into itself; as a test there
  // would be nothing behind it.
  for (unsigned char opcode : {0xa9, 0xe9}) {
    Image image;
    image.add({opcode, 0xfa, 0xff, 0xff, 0xff}); // in front of the text
    image.add({opcode, 0xfb, 0xff, 0xff, 0xff}); // to itself
    image.add({opcode, 0xff, 0xff, 0xff, 0xff}); // to its last byte
    image.add({opcode, 0x0f, 0x00, 0x00, 0x00}); // behind the text
    image.add({opcode, 0x00, 0x00, 0x00, 0x80}); // far in front
    image.add({opcode, 0xff, 0xff, 0xff, 0x7f}); // far behind
    image.add({opcode, 0xf0, 0xff, 0xff, 0xff}); // into it, but the last
    run("switch", image);
  }
  // CHECK-COUNT-4: switch: 7 sites, 0 changed, 0 already, 7 mismatched, 0 refused

  Image refused;
  refused.add({0xa9, 0, 0, 0, 0});
  refused.add({0x87, 0x07});
  refused.index();
  print("refused", refused.apply(UPLOCK_UP, refuse));
  // CHECK: refused: 2 sites, 0 changed, 0 already, 0 mismatched, 2 refused
}
