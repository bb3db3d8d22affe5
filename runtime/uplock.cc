// SPDX-License-Identifier: MIT
//
// The freestanding core: walk the table and change one byte an instruction.
//
//   SMP   f0 83 00 01        lock addl $1,(%rax)
//   UP    3e 83 00 01        addl $1,%ds:(%rax), the same as addl $1,(%rax)
//
//   SMP   64 f0 83 00 01     lock addl $1,%fs:(%rax)
//   UP    64 64 83 00 01     addl $1,%fs:(%rax)
//
//   SMP   87 07              xchg %eax,(%rdi), its result not read by anybody
//   UP    89 07              mov  %eax,(%rdi)
//
//   SMP   a9 xx xx xx xx     test $imm32,%eax, then the xchg behind it
//   UP    e9 xx xx xx xx     jmp  to an exchange by (unlocked) cmpxchg
//
// One store of one byte, in both directions: nothing can tear, an interrupt may
// come at any time, and a thread that was preempted at the instruction resumes
// at the same instruction, locked or not. A NOP in the byte's place would be an
// instruction of its own: the thread that was preempted behind it would resume
// in the middle of a locked instruction.
//
// The byte that takes the place of LOCK must change nothing. A DS override is
// that where no segment override stands before it: DS is what the instruction
// uses anyway, or it is ignored (64-bit mode, Intel SDM vol. 1, 3.3.4). After
// another override it would count as the last one and win (always on i386, and
// in 64-bit mode in the emulators of KVM and QEMU, which do not ignore it).
// There the other override is repeated.

#include "uplock.h"

namespace {

constexpr uint8_t lock_prefix = 0xf0;
constexpr uint8_t ds_prefix = 0x3e;

// With a register operand of one byte; the other widths are one more.
constexpr uint8_t xchg_byte = 0x86;
constexpr uint8_t mov_byte = 0x88;
constexpr uint8_t wide = 1;
// The least ModRM byte without a memory operand.
constexpr uint8_t modrm_register = 0xc0;

// Of the same length, their operands in the same four bytes. The immediate of
// the test is the distance of the jump.
constexpr uint8_t test_eax = 0xa9;
constexpr uint8_t jmp = 0xe9;
constexpr size_t switch_size = 5;

// An x86 instruction has at most 15 bytes; the last one is no prefix.
constexpr size_t max_prefixes = 14;

bool is_segment_prefix(uint8_t byte) {
  switch (byte) {
  case 0x26: // es
  case 0x2e: // cs
  case 0x36: // ss
  case ds_prefix:
  case 0x64: // fs
  case 0x65: // gs
    return true;
  }
  return false;
}

bool is_legacy_prefix(uint8_t byte) {
  switch (byte) {
  case 0x66: // operand size
  case 0x67: // address size
  case 0xf2: // repne, xacquire
  case 0xf3: // rep, xrelease
    return true;
  }
  return is_segment_prefix(byte);
}

bool is_rex_prefix(uint8_t byte) {
#ifdef __x86_64__
  return (byte & 0xf0) == 0x40;
#else
  (void)byte; // inc and dec
  return false;
#endif
}

// The byte of an instruction that the two modes tell apart.
struct Patch {
  enum Form { none, lock, store, exchange } form;
  size_t offset; // from the instruction's first byte
  uint8_t smp, up;
};

// Finds the patch of the instruction INSN, of which SIZE bytes can be read, in
// whichever mode it is.
//
// In SMP mode a lock is F0 among the prefixes. Without one, the opcode tells a
// store or an exchange, in both modes. Otherwise it is a lock in UP mode: the
// override that took its place is the last one that repeats the one before it,
// or else the last DS override.
Patch find_patch(const uint8_t *insn, size_t size) {
  Patch repeated{}, ds{};
  uint8_t segment = ds_prefix; // what LOCK becomes here
  bool has_segment = false;
  size_t i = 0;
  for (; i < size && i < max_prefixes; i++) {
    uint8_t byte = insn[i];
    if (byte == lock_prefix)
      return {Patch::lock, i, lock_prefix, segment};
    if (!is_legacy_prefix(byte))
      break;
    if (!is_segment_prefix(byte))
      continue;
    if (has_segment && byte == segment)
      repeated = {Patch::lock, i, lock_prefix, byte};
    else if (byte == ds_prefix)
      ds = {Patch::lock, i, lock_prefix, byte};
    segment = byte;
    has_segment = true;
  }
  if (i < size && is_rex_prefix(insn[i]))
    i++;
  if (i >= size || i >= max_prefixes)
    return {};
  uint8_t opcode = insn[i], width = opcode & wide;
  if (opcode - width == xchg_byte || opcode - width == mov_byte) {
    // Not locked without memory.
    if (i + 1 >= size || insn[i + 1] >= modrm_register)
      return {};
    return {Patch::store, i, static_cast<uint8_t>(xchg_byte + width),
            static_cast<uint8_t>(mov_byte + width)};
  }
  if (opcode == test_eax || opcode == jmp) {
    // A prefix would make the operand another.
    if (i != 0 || size < switch_size)
      return {};
    return {Patch::exchange, i, test_eax, jmp};
  }
  return repeated.form ? repeated : ds;
}

// Would the way back find the byte that PATCH changes? It would not where
// overrides follow the LOCK prefix that look like one in its place.
bool is_reversible(const uint8_t *insn, size_t size, const Patch &patch) {
  uint8_t patched[max_prefixes + 1] = {};
  size_t count = size < sizeof patched ? size : sizeof patched;
  for (size_t i = 0; i < count; i++)
    patched[i] = insn[i];
  patched[patch.offset] = patch.up;
  Patch back = find_patch(patched, count);
  return back.form == patch.form && back.offset == patch.offset &&
         back.up == patch.up;
}

} // namespace

extern "C" uplock_counts uplock_apply(const int32_t *table,
                                      const int32_t *table_end,
                                      const uplock_text *text,
                                      uplock_mode mode) {
  // Addresses as integers: an entry may point anywhere.
  auto begin = reinterpret_cast<uintptr_t>(text->begin);
  auto end = reinterpret_cast<uintptr_t>(text->end);
  uplock_counts counts{};

  for (const int32_t *entry = table; entry < table_end; entry++) {
    if (!*entry)
      continue;
    counts.sites++;

    uintptr_t address = reinterpret_cast<uintptr_t>(entry) +
                        static_cast<uintptr_t>(static_cast<intptr_t>(*entry));
    if (address < begin || address >= end) {
      counts.mismatched++;
      continue;
    }
    auto insn = reinterpret_cast<uint8_t *>(address);
    size_t size = end - address;
    Patch patch = find_patch(insn, size);
    if (!patch.form || !is_reversible(insn, size, patch)) {
      counts.mismatched++;
      continue;
    }

    counts.locks += patch.form == Patch::lock;
    counts.stores += patch.form == Patch::store;
    counts.exchanges += patch.form == Patch::exchange;

    uint8_t *byte = insn + patch.offset;
    uint8_t wanted = mode == UPLOCK_UP ? patch.up : patch.smp;
    if (*byte == wanted) {
      counts.already++;
    } else if (!text->write) {
      *const_cast<volatile uint8_t *>(byte) = wanted;
      counts.changed++;
    } else if (text->write(text->context, byte, wanted)) {
      counts.changed++;
    } else {
      counts.refused++;
    }
  }
  return counts;
}
