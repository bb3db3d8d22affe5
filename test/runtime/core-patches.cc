// SPDX-License-Identifier: GPL-3.0-or-later
//
// One byte an instruction: LOCK becomes an override that changes nothing.
// RUN: %cxx -O1 -I%root/runtime %s %root/runtime/uplock.cc -o %t
// RUN: %t | FileCheck %s
#include "Inputs/image.h"

int main() {
  Image image;
  image.add({0xf0, 0x83, 0x00, 0x01});                   // lock addl
  image.add({0x66, 0xf0, 0x83, 0x00, 0x01});             // lock addw, as gas
  image.add({0xf0, 0x66, 0x83, 0x00, 0x01});             // lock; addw
#ifdef __x86_64__
  image.add({0xf0, 0x48, 0x0f, 0xc1, 0x00});             // lock xaddq
#else
  image.add({0xf0, 0x0f, 0xc1, 0x00});                   // lock xaddl
#endif
  image.add({0xf2, 0xf0, 0x83, 0x00, 0x01});             // xacquire lock addl
  image.add({0xf0, 0xf3, 0x83, 0x00, 0x01});             // lock xrelease addl
  image.add({0x67, 0xf0, 0x0f, 0xb1, 0x10});             // lock cmpxchg (eax)
  image.add({0x64, 0xf0, 0x83, 0x00, 0x01});             // lock addl %fs:
  image.add({0x65, 0x66, 0xf0, 0x83, 0x00, 0x01});       // lock addw %gs:
  image.add({0xf0, 0x64, 0x83, 0x00, 0x01});             // lock; addl %fs:
  image.add({0x2e, 0x2e, 0x2e, 0xf0, 0x83, 0x00, 0x01}); // padded by gas
  image.add({0x3e, 0xf0, 0x83, 0x00, 0x01});             // lock addl %ds:
  image.index();
  auto before = image.text;

  image.print("SMP");
  print("up", image.apply(UPLOCK_UP));
  image.print("UP");
  print("again", image.apply(UPLOCK_UP));
  print("smp", image.apply(UPLOCK_SMP));
  printf("restored: %d\n", image.text == before);
  print("again", image.apply(UPLOCK_SMP));

  // Zero entries are padding.
  image.table.assign(4, 0);
  print("padding", image.apply(UPLOCK_UP));
}

// CHECK:      SMP: f0 83 00 01 | 66 f0 83 00 01 | f0 66 83 00 01 |
// CHECK-SAME: f0 48 0f c1 00 | f2 f0 83 00 01 | f0 f3 83 00 01 |
// CHECK-SAME: 67 f0 0f b1 10 | 64 f0 83 00 01 | 65 66 f0 83 00 01 |
// CHECK-SAME: f0 64 83 00 01 | 2e 2e 2e f0 83 00 01 | 3e f0 83 00 01{{$}}
// CHECK-NEXT: up: 12 sites, 12 changed, 0 already, 0 mismatched, 0 refused
// CHECK-NEXT: UP: 3e 83 00 01 | 66 3e 83 00 01 | 3e 66 83 00 01 |
// CHECK-SAME: 3e 48 0f c1 00 | f2 3e 83 00 01 | 3e f3 83 00 01 |
// CHECK-SAME: 67 3e 0f b1 10 | 64 64 83 00 01 | 65 66 65 83 00 01 |
// CHECK-SAME: 3e 64 83 00 01 | 2e 2e 2e 2e 83 00 01 | 3e 3e 83 00 01{{$}}
// CHECK-NEXT: again: 12 sites, 0 changed, 12 already, 0 mismatched, 0 refused
// CHECK-NEXT: smp: 12 sites, 12 changed, 0 already, 0 mismatched, 0 refused
// CHECK-NEXT: restored: 1
// CHECK-NEXT: again: 12 sites, 0 changed, 12 already, 0 mismatched, 0 refused
// CHECK-NEXT: padding: 0 sites, 0 changed, 0 already, 0 mismatched, 0 refused
