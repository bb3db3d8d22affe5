// SPDX-License-Identifier: GPL-3.0-or-later
//
// A store and an exchange's switch are changed in one byte as well, behind the
// prefixes that they can have, and counted by form.
// RUN: %cxx -O1 -I%root/runtime %s %root/runtime/uplock.cc -o %t
// RUN: %t | FileCheck %s --check-prefixes=CHECK,X86-64
#include "Inputs/image.h"

static void run(const char *name, Image &image) {
  image.index();
  auto before = image.text;
  uplock_counts counts = image.apply(UPLOCK_UP);
  print(name, counts);
  printf("%zu locks, %zu stores, %zu exchanges\n", counts.locks, counts.stores,
         counts.exchanges);
  image.print("UP");
  print("again", image.apply(UPLOCK_UP));
  auto up = image.text;
  counts = image.apply(UPLOCK_SMP);
  print("back", counts);
  printf("%zu locks, %zu stores, %zu exchanges\n", counts.locks, counts.stores,
         counts.exchanges);
  printf("restored: %d\n", image.text == before);
  print("again", image.apply(UPLOCK_SMP));
  image.apply(UPLOCK_UP);
  printf("as before: %d\n", image.text == up);
}

int main() {
  Image image;
  image.add({0x87, 0x07});                         // xchgl %eax,(%rdi)
  image.add({0x86, 0x07});                         // xchgb %al,(%rdi)
  image.add({0x66, 0x87, 0x07});                   // xchgw %ax,(%rdi)
  image.add({0x64, 0x87, 0x04, 0x25, 0, 0, 0, 0}); // xchgl %eax,%fs:0
  image.add({0x65, 0x66, 0x87, 0x07});             // xchgw %ax,%gs:(%rdi)
  image.add({0x66, 0x64, 0x87, 0x07});             // the same for %fs, as gas
  image.add({0x3e, 0x87, 0x07});                   // xchgl %eax,%ds:(%rdi)
  image.add({0x64, 0x64, 0x87, 0x07});             // an override repeated
  image.add({0x67, 0x87, 0x07});                   // xchgl %eax,(%edi)
  image.add({0xa9, 0xf0, 0xff, 0xff, 0xff});       // test $-16,%eax
  image.add({0xf0, 0x87 - 6, 0x07, 0, 0, 0, 0});   // lock addl $0,(%rdi)
  run("forms", image);
  // CHECK:      forms: 11 sites, 11 changed, 0 already, 0 mismatched, 0 refused
  // CHECK-NEXT: 1 locks, 9 stores, 1 exchanges
  // CHECK-NEXT: UP: 89 07 | 88 07 | 66 89 07 | 64 89 04 25 00 00 00 00 |
  // CHECK-SAME: 65 66 89 07 | 66 64 89 07 | 3e 89 07 | 64 64 89 07 |
  // CHECK-SAME: 67 89 07 | e9 f0 ff ff ff | 3e 81 07 00 00 00 00{{$}}
  // CHECK-NEXT: again: 11 sites, 0 changed, 11 already, 0 mismatched, 0 refused
  // CHECK-NEXT: back: 11 sites, 11 changed, 0 already, 0 mismatched, 0 refused
  // CHECK-NEXT: 1 locks, 9 stores, 1 exchanges
  // CHECK-NEXT: restored: 1
  // CHECK-NEXT: again: 11 sites, 0 changed, 11 already, 0 mismatched, 0 refused
  // CHECK-NEXT: as before: 1

#ifdef __x86_64__
  Image rex;
  rex.add({0x48, 0x87, 0x07});             // xchgq %rax,(%rdi)
  rex.add({0x40, 0x86, 0x37});             // xchgb %sil,(%rdi)
  rex.add({0x4f, 0x87, 0x7c, 0xf5, 0x00}); // xchgq %r15,(%r13,%r14,8)
  rex.add({0x66, 0x64, 0x45, 0x87, 0x0c, 0x24}); // xchgw %r9w,%fs:(%r12)
  rex.add({0x67, 0x48, 0x87, 0x07});       // xchgq %rax,(%edi)
  run("rex", rex);
  // X86-64:      rex: 5 sites, 5 changed, 0 already, 0 mismatched, 0 refused
  // X86-64-NEXT: 0 locks, 5 stores, 0 exchanges
  // X86-64-NEXT: UP: 48 89 07 | 40 88 37 | 4f 89 7c f5 00 |
  // X86-64-SAME: 66 64 45 89 0c 24 | 67 48 89 07{{$}}
  // X86-64-NEXT: again: 5 sites, 0 changed, 5 already
  // X86-64-NEXT: back: 5 sites, 5 changed
  // X86-64-NEXT: 0 locks, 5 stores
  // X86-64-NEXT: restored: 1
  // X86-64-NEXT: again: 5 sites, 0 changed, 5 already
  // X86-64-NEXT: as before: 1
#endif
}
