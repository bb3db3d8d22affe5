// SPDX-License-Identifier: GPL-3.0-or-later

#include "decoder.h"

#include <algorithm>

using namespace uplock;

namespace {

constexpr uint8_t lock_prefix = 0xf0;
constexpr uint8_t operand_size_prefix = 0x66;
constexpr uint8_t repne_prefix = 0xf2;
constexpr uint8_t rep_prefix = 0xf3;
constexpr uint8_t rex = 0x40, rex_mask = 0xf0, rex_w = 0x08;
constexpr uint8_t two_bytes = 0x0f;
constexpr uint8_t test_eax = 0xa9, jmp = 0xe9;

constexpr size_t longest = ZYDIS_MAX_INSTRUCTION_LENGTH;

// A Memory: how many bytes follow the operand, and what else is known.
constexpr uint8_t tail_mask = 0x0f;
constexpr uint8_t known = 0x10;
constexpr uint8_t has_modrm = 0x20;
constexpr uint8_t may_lock = 0x40;
constexpr uint8_t ask_again = 0x80;

// For each prefix (none or one of three), REX (none, without W, with W) and
// opcode map a page of them: by opcode and ModRM byte.
constexpr size_t page_count = 4 * 3 * 2;
constexpr size_t page_size = 256 * 256;

// Is more than the key needed to know whether it is an instruction, and how
// long?
bool is_intricate(bool is_64_bit, bool second_map, uint8_t opcode) {
  if (!second_map) {
    if (is_64_bit && (opcode & rex_mask) == rex)
      return true; // a second REX
    switch (opcode) {
    case 0x0f: // another map
    case 0x26: // prefixes
    case 0x2e:
    case 0x36:
    case 0x3e:
    case 0x64:
    case 0x65:
    case operand_size_prefix:
    case 0x67:
    case lock_prefix:
    case repne_prefix:
    case rep_prefix:
    case 0x62: // EVEX, VEX, XOP
    case 0xc4:
    case 0xc5:
    case 0x8f:
    case 0x8c: // segment registers
    case 0x8e:
      return true;
    default:
      return false;
    }
  }
  switch (opcode) {
  case 0x0f: // 3DNow!, whose opcode comes last
  case 0x38: // three bytes
  case 0x3a:
  case 0x1a: // bound registers
  case 0x1b:
    return true;
  default:
    return opcode >= 0x20 && opcode <= 0x27; // control and debug registers
  }
}

// The ModRM byte, SIB and displacement, with addresses of 32 or 64 bits (Intel
// SDM vol. 2, tables 2-2 and 2-3).
size_t operand_size(const uint8_t *modrm) {
  constexpr uint8_t has_sib = 4, displacement_alone = 5;
  uint8_t mod = modrm[0] >> 6, rm = modrm[0] & 7;
  if (mod == 3)
    return 1;
  size_t size = 1;
  uint8_t base = rm;
  if (rm == has_sib) {
    base = modrm[1] & 7;
    size++;
  }
  if (mod == 1)
    return size + 1;
  return mod == 2 || base == displacement_alone ? size + 4 : size;
}

} // namespace

bool Instruction::is_xchg_with_memory() const {
  return raw.mnemonic == ZYDIS_MNEMONIC_XCHG &&
         operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY;
}

Kind Instruction::kind() const {
  if (raw.mnemonic == ZYDIS_MNEMONIC_MFENCE)
    return Kind::mfence;
  if (raw.mnemonic == ZYDIS_MNEMONIC_XCHG &&
      (operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY ||
       operands[1].type == ZYDIS_OPERAND_TYPE_MEMORY))
    return Kind::xchg;
  if (!has_lock())
    return Kind::plain;
  // Segments other than fs and gs are the assembler's padding
  // (-mbranches-within-32B-boundaries).
  const auto &target = operands[0], &source = operands[1];
  bool is_fence =
      raw.mnemonic == ZYDIS_MNEMONIC_OR &&
      source.type == ZYDIS_OPERAND_TYPE_IMMEDIATE && !source.imm.value.u &&
      target.type == ZYDIS_OPERAND_TYPE_MEMORY &&
      (target.mem.base == ZYDIS_REGISTER_RSP ||
       target.mem.base == ZYDIS_REGISTER_ESP) &&
      target.mem.index == ZYDIS_REGISTER_NONE && !target.mem.disp.value &&
      target.mem.segment != ZYDIS_REGISTER_FS &&
      target.mem.segment != ZYDIS_REGISTER_GS;
  return is_fence ? Kind::fence : Kind::lock;
}

bool Instruction::is_switch() const {
  return raw.length == 5 && !raw.raw.prefix_count &&
         raw.opcode_map == ZYDIS_OPCODE_MAP_DEFAULT &&
         (raw.opcode == test_eax || raw.opcode == jmp);
}

bool Instruction::is_direct_jump() const {
  return (raw.meta.category == ZYDIS_CATEGORY_COND_BR ||
          raw.meta.category == ZYDIS_CATEGORY_UNCOND_BR) &&
         raw.raw.imm[0].is_relative;
}

bool Instruction::falls_through() const {
  switch (raw.meta.category) {
  case ZYDIS_CATEGORY_UNCOND_BR:
  case ZYDIS_CATEGORY_RET:
    return false;
  default:
    return raw.mnemonic != ZYDIS_MNEMONIC_UD2;
  }
}

Decoder::Decoder(bool is_64_bit) : is_64_bit(is_64_bit), pages(page_count) {
  auto mode = is_64_bit ? ZYDIS_MACHINE_MODE_LONG_64
                        : ZYDIS_MACHINE_MODE_LONG_COMPAT_32;
  auto width = is_64_bit ? ZYDIS_STACK_WIDTH_64 : ZYDIS_STACK_WIDTH_32;
  ZydisDecoderInit(&full, mode, width);
  minimal = full;
  ZydisDecoderEnableMode(&minimal, ZYDIS_DECODER_MODE_MINIMAL, ZYAN_TRUE);
  ZydisFormatterInit(&formatter, ZYDIS_FORMATTER_STYLE_ATT);
  ZydisFormatterSetProperty(&formatter, ZYDIS_FORMATTER_PROP_HEX_UPPERCASE,
                            ZYAN_FALSE);
  for (auto property :
       {ZYDIS_FORMATTER_PROP_ADDR_PADDING_ABSOLUTE,
        ZYDIS_FORMATTER_PROP_DISP_PADDING, ZYDIS_FORMATTER_PROP_IMM_PADDING})
    ZydisFormatterSetProperty(&formatter, property, ZYDIS_PADDING_DISABLED);
}

bool Decoder::decode(const uint8_t *code, size_t size,
                     Instruction &instruction) const {
  return ZYAN_SUCCESS(
      ZydisDecoderDecodeFull(&full, code, std::min(size, longest),
                             &instruction.raw, instruction.operands));
}

Decoder::Measure Decoder::measure_anew(const uint8_t *code, size_t size) const {
  ZydisDecodedInstruction decoded;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(
          &minimal, nullptr, code, std::min(size, longest), &decoded)))
    return {0, false};
  bool maybe = decoded.mnemonic == ZYDIS_MNEMONIC_MFENCE ||
               decoded.mnemonic == ZYDIS_MNEMONIC_XCHG;
  for (size_t i = 0; i < decoded.raw.prefix_count; i++)
    maybe |= decoded.raw.prefixes[i].value == lock_prefix;
  return {decoded.length, maybe};
}

// MODRM: how far into the instruction the byte behind the opcode is.
Decoder::Memory Decoder::learn(const uint8_t *code, size_t size,
                               size_t modrm) const {
  ZydisDecodedInstruction decoded;
  if (!ZYAN_SUCCESS(ZydisDecoderDecodeInstruction(
          &minimal, nullptr, code, std::min(size, longest), &decoded)))
    return known | ask_again;
  Memory memory = known;
  size_t head = modrm;
  if (decoded.attributes & ZYDIS_ATTRIB_HAS_MODRM) {
    memory |= has_modrm;
    head += operand_size(code + modrm);
  }
  if (decoded.length < head || decoded.length - head > tail_mask)
    return known | ask_again;
  memory |= decoded.length - head;
  if (decoded.mnemonic == ZYDIS_MNEMONIC_MFENCE ||
      decoded.mnemonic == ZYDIS_MNEMONIC_XCHG)
    memory |= may_lock;
  return memory;
}

Decoder::Measure Decoder::measure(const uint8_t *code, size_t size) {
  if (size <= longest)
    return measure_anew(code, size);

  const uint8_t *next = code;
  size_t prefix = 0;
  switch (*next) {
  case operand_size_prefix:
    prefix = 1;
    break;
  case repne_prefix:
    prefix = 2;
    break;
  case rep_prefix:
    prefix = 3;
    break;
  }
  next += prefix != 0;
  size_t rex_kind = 0;
  if (is_64_bit && (*next & rex_mask) == rex)
    rex_kind = *next++ & rex_w ? 2 : 1;
  bool second_map = *next == two_bytes;
  next += second_map;
  std::vector<Memory> &page = pages[(prefix * 3 + rex_kind) * 2 + second_map];
  if (page.empty())
    page.resize(page_size);
  Memory &memory = page[*next * 256 + *(next + 1)];
  next++;

  if (!memory)
    memory = is_intricate(is_64_bit, second_map, *(next - 1))
                 ? known | ask_again
                 : learn(code, size, next - code);
  if (memory & ask_again)
    return measure_anew(code, size);
  size_t length = next - code + (memory & tail_mask);
  if (memory & has_modrm)
    length += operand_size(next);
  return {static_cast<uint8_t>(length), (memory & may_lock) != 0};
}

std::string Decoder::text(const Instruction &instruction,
                          uint64_t address) const {
  const ZydisDecodedInstruction &raw = instruction.raw;
  char buffer[256];
  if (!ZYAN_SUCCESS(ZydisFormatterFormatInstruction(
          &formatter, &raw, instruction.operands, raw.operand_count_visible,
          buffer, sizeof buffer, address, nullptr)))
    return "?";
  std::string text = buffer;

  // Zydis leaves out the suffix, `incl`, where there is one operand alone.
  switch (raw.mnemonic) {
  case ZYDIS_MNEMONIC_INC:
  case ZYDIS_MNEMONIC_DEC:
  case ZYDIS_MNEMONIC_NEG:
  case ZYDIS_MNEMONIC_NOT:
    if (instruction.operands[0].type == ZYDIS_OPERAND_TYPE_MEMORY) {
      const char *suffixes = "?bw?l???q";
      size_t bytes = instruction.operands[0].size / 8;
      std::string mnemonic = ZydisMnemonicGetString(raw.mnemonic);
      size_t at = text.find(mnemonic + " ");
      if (at != std::string::npos && bytes >= 1 && bytes <= 8)
        text.insert(at + mnemonic.size(), 1, suffixes[bytes]);
    }
    break;
  default:
    break;
  }
  return text;
}
