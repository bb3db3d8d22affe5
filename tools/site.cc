// SPDX-License-Identifier: GPL-3.0-or-later

#include "site.h"

#include <algorithm>
#include <optional>

using namespace uplock;

namespace {

constexpr uint8_t lock_prefix = 0xf0, ds_prefix = 0x3e;
constexpr uint8_t xchg_byte = 0x86, mov_byte = 0x88, wide = 1;
constexpr uint8_t test_eax = 0xa9, jmp = 0xe9;
constexpr uint8_t modrm_register = 0xc0;
constexpr size_t switch_size = 5;
constexpr size_t longest = ZYDIS_MAX_INSTRUCTION_LENGTH;

bool is_segment_prefix(uint8_t byte) {
  return byte == 0x26 || byte == 0x2e || byte == 0x36 || byte == ds_prefix ||
         byte == 0x64 || byte == 0x65; // es cs ss ds fs gs
}

bool is_legacy_prefix(uint8_t byte) {
  return is_segment_prefix(byte) || byte == 0x66 || byte == 0x67 ||
         byte == 0xf2 || byte == 0xf3 || byte == lock_prefix;
}

// The byte, by the prefixes and the opcode alone.
std::optional<Patch> find_patch(const uint8_t *code, size_t size,
                                bool is_64_bit) {
  size = std::min(size, longest);
  size_t opcode = 0;
  while (opcode < size && is_legacy_prefix(code[opcode]))
    opcode++;

  // LOCK: where it is, and the override before it, or else DS.
  uint8_t segment = ds_prefix;
  for (size_t i = 0; i < opcode; i++) {
    if (code[i] == lock_prefix)
      return Patch{Form::lock, false, i, lock_prefix, segment};
    if (is_segment_prefix(code[i]))
      segment = code[i];
  }

  size_t behind_prefixes = opcode;
  constexpr uint8_t rex = 0x40, rex_mask = 0xf0;
  if (is_64_bit && opcode < size && (code[opcode] & rex_mask) == rex)
    opcode++;
  if (opcode >= size)
    return {};
  uint8_t width = code[opcode] & wide, narrow = code[opcode] - width;
  if (narrow == xchg_byte || narrow == mov_byte) {
    if (opcode + 1 >= size || code[opcode + 1] >= modrm_register)
      return {};
    return Patch{Form::store, narrow == mov_byte, opcode,
                 static_cast<uint8_t>(xchg_byte + width),
                 static_cast<uint8_t>(mov_byte + width)};
  }
  if (code[opcode] == test_eax || code[opcode] == jmp) {
    if (opcode || size < switch_size)
      return {};
    return Patch{Form::exchange, code[0] == jmp, 0, test_eax, jmp};
  }

  // In LOCK's place: the last override that repeats the one before it, or else
  // the last DS override.
  std::optional<size_t> repeated, ds, before;
  for (size_t i = 0; i < behind_prefixes; i++) {
    if (!is_segment_prefix(code[i]))
      continue;
    if (before && code[*before] == code[i])
      repeated = i;
    else if (code[i] == ds_prefix)
      ds = i;
    before = i;
  }
  if (!repeated && !ds)
    return {};
  size_t at = repeated ? *repeated : *ds;
  return Patch{Form::lock, true, at, lock_prefix, code[at]};
}

const char *why_not(const Instruction &as_is) {
  switch (as_is.kind()) {
  case Kind::xchg:
    return "is an xchg, which is locked without LOCK";
  case Kind::mfence:
    return "is an mfence, which no byte unlocks";
  default:
    return as_is.has_lock() ? "would not be found again once it is unlocked"
                            : "has no LOCK prefix";
  }
}

} // namespace

std::string uplock::read_site(const Decoder &decoder, bool is_64_bit,
                              const uint8_t *code, size_t size, Patch &patch,
                              Instruction &smp) {
  Instruction as_is, up;
  if (!decoder.decode(code, size, as_is))
    return "is no instruction";
  size = as_is.length();
  auto found = find_patch(code, size, is_64_bit);
  if (!found)
    return why_not(as_is);
  patch = *found;

  // Written and found again, in each mode, it must be the same.
  uint8_t bytes[longest];
  std::copy_n(code, size, bytes);
  for (bool want_up : {true, false}) {
    bytes[patch.offset] = want_up ? patch.up : patch.smp;
    auto again = find_patch(bytes, size, is_64_bit);
    if (!again || again->form != patch.form || again->offset != patch.offset ||
        again->up != patch.up || again->is_up != want_up)
      return why_not(as_is);
    Instruction &other = want_up ? up : smp;
    if (!decoder.decode(bytes, size, other) || other.length() != size)
      return why_not(as_is);
  }

  switch (patch.form) {
  case Form::lock:
    // Without LOCK it is the same in all else.
    if (smp.kind() == Kind::xchg || !smp.has_lock() || up.has_lock() ||
        smp.raw.mnemonic != up.raw.mnemonic)
      return why_not(as_is);
    return "";
  case Form::store:
    if (smp.kind() != Kind::xchg || smp.has_lock() ||
        up.raw.mnemonic != ZYDIS_MNEMONIC_MOV)
      return why_not(as_is);
    return "";
  case Form::exchange:
    if (!smp.is_switch() || !up.is_switch())
      return why_not(as_is);
    return "";
  }
  return why_not(as_is);
}
