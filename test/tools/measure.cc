// SPDX-License-Identifier: GPL-3.0-or-later
//
// Decoder::measure, which remembers, says the same as Zydis, which decodes: for
// every prefix, opcode and ModRM byte that it remembers by, and for random
// bytes behind random prefixes, in both modes.
//
// RUN: %cxx -std=c++17 -O2 %s %root/tools/decoder.cc -I%root/tools -lZydis \
// RUN:   -o %t
// RUN: %t | FileCheck %s
// CHECK: {{^}}64-bit: {{[0-9]+}} measured, 0 different
// CHECK: {{^}}32-bit: {{[0-9]+}} measured, 0 different

#include "decoder.h"

#include <cstdio>
#include <random>
#include <vector>

using namespace uplock;

static void compare(bool is_64_bit) {
  Decoder decoder(is_64_bit);
  ZydisDecoder reference;
  ZydisDecoderInit(&reference,
                   is_64_bit ? ZYDIS_MACHINE_MODE_LONG_64
                             : ZYDIS_MACHINE_MODE_LONG_COMPAT_32,
                   is_64_bit ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32);
  ZydisDecoderEnableMode(&reference, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_TRUE);

  size_t measured = 0, different = 0;
  std::mt19937 random(1);
  auto compare_one = [&](std::vector<uint8_t> code) {
    while (code.size() < 32)
      code.push_back(random());
    ZydisDecodedInstruction decoded;
    bool is_one = ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(
        &reference, nullptr, code.data(), 15, &decoded));
    auto measure = decoder.measure(code.data(), code.size());
    // Everything locked must be looked at.
    Instruction full;
    bool is_locked = decoder.decode(code.data(), code.size(), full) &&
                     full.kind() != Kind::plain;
    measured++;
    if (measure.length == (is_one ? decoded.length : 0) &&
        (measure.may_lock || !is_locked))
      return;
    if (different++ < 10) {
      for (size_t i = 0; i < 16; i++)
        printf("%02x ", code[i]);
      printf(": %d, not %d\n", measure.length, is_one ? decoded.length : 0);
    }
  };

  const std::vector<uint8_t> prefixes = {0x66, 0xf2, 0xf3, 0xf0, 0x67,
                                         0x3e, 0x64, 0x48, 0x40, 0x4f};
  for (int prefix = 0; prefix < 4; prefix++)
    for (int rex = 0; rex < (is_64_bit ? 16 : 1); rex += 5)
      for (int map = 0; map < 2; map++)
        for (int opcode = 0; opcode < 256; opcode++)
          for (int modrm = 0; modrm < 256; modrm++)
            // Twice: learnt, and remembered with other bytes behind.
            for (int i = 0; i < 2; i++) {
              std::vector<uint8_t> code;
              if (prefix)
                code.push_back(prefixes[prefix - 1]);
              if (rex)
                code.push_back(0x40 | rex);
              if (map)
                code.push_back(0x0f);
              code.push_back(opcode);
              code.push_back(modrm);
              compare_one(code);
            }
  for (int i = 0; i < 1000000; i++) {
    std::vector<uint8_t> code;
    while (random() % 2)
      code.push_back(prefixes[random() % prefixes.size()]);
    if (random() % 2)
      code.push_back(0x0f);
    compare_one(code);
  }
  printf("%s: %zu measured, %zu different\n", is_64_bit ? "64-bit" : "32-bit",
         measured, different);
}

int main() {
  compare(true);
  compare(false);
}
