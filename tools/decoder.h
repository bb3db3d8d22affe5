// SPDX-License-Identifier: GPL-3.0-or-later
//
// Decodes x86 instructions through Zydis. Two speeds:
//
//   decode    all there is to know about one instruction;
//   measure   its length, and whether it may be locked, for each of the
//   millions
//             of instructions of a program.
//
// `measure` asks Zydis too, but not twice for the same thing: it remembers by
// prefix, REX, opcode and ModRM byte what follows the operand, from which the
// length of any other such instruction is a sum. There is no opcode table of
// our own that could be wrong. What does not fit (several prefixes, VEX and
// EVEX, opcodes of three bytes, those for which a register can be invalid, the
// last bytes of a section) is asked for each time, and so is what does not
// decode. (test/tools/measure.cc compares the two.)

#ifndef UPLOCK_DECODER_H
#define UPLOCK_DECODER_H

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include <Zydis/Zydis.h>

namespace uplock {

// What bytes say an instruction is, as far as locking goes.
enum class Kind : uint8_t {
  plain,
  lock,  // has a LOCK prefix, and none of the others
  fence, // lock or $0,(%rsp)
  xchg,  // with memory: locked with and without a LOCK prefix
  mfence,
};

struct Instruction {
  ZydisDecodedInstruction raw;
  ZydisDecodedOperand operands[ZYDIS_MAX_OPERAND_COUNT];

  size_t length() const { return raw.length; }
  bool has_lock() const { return raw.attributes & ZYDIS_ATTRIB_HAS_LOCK; }
  Kind kind() const;
  bool is_xchg_with_memory() const;
  // test $imm32,%eax, or jmp rel32: of five bytes, without prefixes.
  bool is_switch() const;
  bool is_direct_jump() const; // conditional or not; a call is none
  bool falls_through() const;  // may the next instruction follow it?
};

class Decoder {
public:
  explicit Decoder(bool is_64_bit);

  // The instruction at the start of CODE, of which SIZE bytes may be read.
  // False if there is none.
  bool decode(const uint8_t *code, size_t size, Instruction &instruction) const;

  // length: 0 if there is no instruction. may_lock: its kind is not plain (or
  // LOCK is there; `decode` tells).
  struct Measure {
    uint8_t length;
    bool may_lock;
  };
  Measure measure(const uint8_t *code, size_t size);

  // As GNU as would have it written. ADDRESS: where it is.
  std::string text(const Instruction &instruction, uint64_t address) const;

private:
  // What is remembered of an instruction. 0: nothing yet.
  using Memory = uint8_t;

  bool is_64_bit;
  ZydisDecoder full, minimal;
  ZydisFormatter formatter;
  std::vector<std::vector<Memory>> pages;

  Measure measure_anew(const uint8_t *code, size_t size) const;
  Memory learn(const uint8_t *code, size_t size, size_t modrm) const;
};

} // namespace uplock

#endif
