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
// The byte that takes the place of LOCK must change nothing. Where no segment
// override stands before it, that is a DS override: DS is what the instruction
// uses anyway (or SS, the same in the flat memory of i386), or it is ignored
// (64-bit mode, Intel SDM vol. 1, 3.3.4). After another override it would count
// as the last one and win (always on i386, and in 64-bit mode in the emulators
// of KVM and QEMU, which do not ignore it). There the other override is
// repeated.
//
// A table may be wrong, and what is written here will run. So an entry counts
// only if it points at what a table can name: an instruction that LOCK allows,
// with F0 or what takes its place among the prefixes; an xchg or a mov with
// memory; a switch that leads into the text.

#include "uplock.h"

namespace {

constexpr uint8_t lock_prefix = 0xf0;
constexpr uint8_t ds_prefix = 0x3e;

// With a register operand of one byte; the other widths are one more.
constexpr uint8_t xchg_byte = 0x86;
constexpr uint8_t mov_byte = 0x88;
constexpr uint8_t wide = 1;

// Of the same length, their operands in the same four bytes. The immediate of
// the test is the distance of the jump.
constexpr uint8_t test_eax = 0xa9;
constexpr uint8_t jmp = 0xe9;
constexpr size_t switch_size = 5;

// The first byte of opcodes of two.
constexpr uint8_t escape = 0x0f;
// The least ModRM byte without a memory operand.
constexpr uint8_t modrm_register = 0xc0;

constexpr size_t max_insn_size = 15;

// What LOCK allows, with memory as the destination (Intel SDM vol. 2, "LOCK");
// xchg apart, which is locked without it. Bits 5 to 3 of ModRM are a register,
// or else they belong to the opcode: the /digit of the manual.
struct Lockable {
  uint8_t opcode;
  uint8_t digits; // a bit for each that is allowed
};

constexpr uint8_t digits(int first, int last) {
  return static_cast<uint8_t>((2 << last) - (1 << first));
}
constexpr uint8_t any = digits(0, 7);

constexpr Lockable one_byte_opcodes[] = {
    {0x00, any},          {0x01, any},          // add
    {0x08, any},          {0x09, any},          // or
    {0x10, any},          {0x11, any},          // adc
    {0x18, any},          {0x19, any},          // sbb
    {0x20, any},          {0x21, any},          // and
    {0x28, any},          {0x29, any},          // sub
    {0x30, any},          {0x31, any},          // xor
    {0x80, digits(0, 6)}, {0x81, digits(0, 6)}, // these, $imm; /7 is cmp
    {0x83, digits(0, 6)},                       // these, $imm8; /7 is cmp
    {0xf6, digits(2, 3)}, {0xf7, digits(2, 3)}, // not, neg
    {0xfe, digits(0, 1)}, {0xff, digits(0, 1)}, // inc, dec
};

// Behind the escape.
constexpr Lockable two_byte_opcodes[] = {
    {0xab, any},                       // bts
    {0xb0, any},          {0xb1, any}, // cmpxchg
    {0xb3, any},                       // btr
    {0xba, digits(5, 7)},              // bts, btr, btc, $imm8; /4 is bt
    {0xbb, any},                       // btc
    {0xc0, any},          {0xc1, any}, // xadd
    {0xc7, digits(1, 1)},              // cmpxchg8b, cmpxchg16b
};

// The lists by opcode, the escaped ones behind the others.
class LockableTable {
public:
  constexpr LockableTable() {
    for (const Lockable &lockable : one_byte_opcodes)
      allowed[0][lockable.opcode] = lockable.digits * modes_with_memory;
    for (const Lockable &lockable : two_byte_opcodes)
      allowed[1][lockable.opcode] = lockable.digits * modes_with_memory;
  }

  bool has(bool is_escaped, uint8_t opcode, uint8_t modrm) const {
    return allowed[is_escaped][opcode] >> (modrm >> 3) & 1;
  }

private:
  // For ModRM's upper five bits: the digits for each of the three modes with
  // memory, and none for the fourth.
  static constexpr uint32_t modes_with_memory = 0x010101;
  uint32_t allowed[2][256] = {};
};
constexpr LockableTable lockable;

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

bool is_other_prefix(uint8_t byte) {
  switch (byte) {
  case 0x66: // operand size
  case 0x67: // address size
  case 0xf2: // repne, xacquire
  case 0xf3: // rep, xrelease
    return true;
  }
  return false;
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

// Addresses as integers: an entry may point anywhere.
struct Bounds {
  uintptr_t begin, end;

  bool contain(uintptr_t address) const {
    return address >= begin && address < end;
  }
  // Where SIZE bytes can begin.
  Bounds with_room_for(size_t size) const {
    bool fits = begin < end && end - begin >= size;
    return {begin, fits ? end - size + 1 : begin};
  }
};

// The four bytes at BYTES, as x86 has them in an operand.
uint32_t read_four(const uint8_t *bytes) {
  return bytes[0] | bytes[1] << 8 | bytes[2] << 16 | uint32_t{bytes[3]} << 24;
}

// Could INSN, of which SIZE bytes are in TEXT, be a switch, by its operand? As
// a jmp it must lead into the text, and not into itself; as a test there must
// be something behind it. That need not be the xchg, whose operands may have to
// be loaded first.
bool is_switch(const uint8_t *insn, size_t size, const Bounds &text) {
  if (size <= switch_size)
    return false;
  intptr_t distance = static_cast<int32_t>(read_four(insn + 1));
  auto begin = reinterpret_cast<uintptr_t>(insn);
  uintptr_t target = begin + switch_size + static_cast<uintptr_t>(distance);
  return text.contain(target) && target - begin >= switch_size;
}

// The prefixes of an instruction, but for REX.
struct Prefixes {
  static constexpr size_t nowhere = max_insn_size;

  size_t count = 0;
  size_t lock = nowhere;  // the first F0
  size_t place = nowhere; // what is, or would be in UP mode, in LOCK's place
  uint8_t up = 0;         // the byte that is there in UP mode
};

// Reads the prefixes at INSN, of which SIZE bytes can be read, as they are in
// UP mode: F0 as what it becomes. What has taken the place of LOCK is the last
// override that repeats the one before it, with DS before the first.
Prefixes read_prefixes(const uint8_t *insn, size_t size) {
  Prefixes prefixes;
  uint8_t segment = ds_prefix;
  for (size_t &i = prefixes.count; i < size; i++) {
    uint8_t byte = insn[i];
    if (byte == lock_prefix && prefixes.lock == Prefixes::nowhere) {
      prefixes.lock = i;
      byte = segment;
    }
    if (byte == segment) {
      prefixes.place = i;
      prefixes.up = byte;
    } else if (is_segment_prefix(byte)) {
      segment = byte;
    } else if (!is_other_prefix(byte)) {
      break;
    }
  }
  return prefixes;
}

// Finds the patch of the instruction INSN, of which SIZE bytes are in TEXT, in
// whichever mode it is.
Patch find_patch(const uint8_t *insn, size_t size, const Bounds &text) {
  const size_t limit = size < max_insn_size ? size : max_insn_size;
  const Prefixes prefixes = read_prefixes(insn, limit);
  size_t i = prefixes.count;
  if (i < limit && is_rex_prefix(insn[i]))
    i++;
  bool is_escaped = i < limit && insn[i] == escape;
  i += is_escaped;
  if (i + 1 >= limit)
    return {};
  uint8_t opcode = insn[i], modrm = insn[i + 1];
  bool has_lock = prefixes.lock != Prefixes::nowhere;

  if (lockable.has(is_escaped, opcode, modrm)) {
    if (prefixes.place == Prefixes::nowhere)
      return {};
    // From elsewhere there would be no way back (f0 3e, f0 f0).
    if (has_lock && prefixes.lock != prefixes.place)
      return {};
    return {Patch::lock, prefixes.place, lock_prefix, prefixes.up};
  }
  if (is_escaped || has_lock)
    return {};

  uint8_t width = opcode & wide;
  if (opcode - width == xchg_byte || opcode - width == mov_byte) {
    if (modrm >= modrm_register)
      return {};
    return {Patch::store, i, static_cast<uint8_t>(xchg_byte + width),
            static_cast<uint8_t>(mov_byte + width)};
  }
  if (opcode == test_eax || opcode == jmp) {
    // A prefix would make the operand another.
    if (i != 0 || !is_switch(insn, size, text))
      return {};
    return {Patch::exchange, i, test_eax, jmp};
  }
  return {};
}

// LOCK or DS, perhaps REX, an opcode and its ModRM: nearly all sites look so.
// Those that are to be changed are found here as find_patch would find them,
// but without a branch that depends on REX or the opcode: it would often be
// predicted wrong.
constexpr size_t plain_lock_size = 5;

// Is there one at INSN that begins with FIRST? Reads all of the size, however
// long it is.
bool is_plain_lock(const uint8_t *insn, uint8_t first) {
  if (insn[0] != first)
    return false;
  uint32_t rest = read_four(insn + 1);
  rest >>= 8 * is_rex_prefix(static_cast<uint8_t>(rest));
  bool is_escaped = static_cast<uint8_t>(rest) == escape;
  rest >>= 8 * is_escaped;
  return lockable.has(is_escaped, static_cast<uint8_t>(rest),
                      static_cast<uint8_t>(rest >> 8));
}

// One walk through a table.
class Walk {
public:
  Walk(const uplock_text &where, uplock_mode wanted)
      : text(where),
        mode(wanted), bounds{reinterpret_cast<uintptr_t>(text.begin),
                             reinterpret_cast<uintptr_t>(text.end)},
        plain_bounds(bounds.with_room_for(plain_lock_size)),
        plain_old(mode == UPLOCK_UP ? lock_prefix : ds_prefix),
        plain_new(mode == UPLOCK_UP ? ds_prefix : lock_prefix) {}

  void visit(uintptr_t address) {
    auto insn = reinterpret_cast<uint8_t *>(address);
    if (plain_bounds.contain(address) && is_plain_lock(insn, plain_old))
      write(insn, plain_new);
    else
      visit_any(address);
  }

  uplock_counts result() const {
    uplock_counts all = counts;
    all.sites = all.changed + all.already + all.mismatched + all.refused;
    all.locks = all.sites - all.mismatched - all.stores - all.exchanges;
    return all;
  }

private:
  const uplock_text text;
  const uplock_mode mode;
  const Bounds bounds;
  const Bounds plain_bounds;          // where a plain lock may begin
  const uint8_t plain_old, plain_new; // its first byte before and after
  uplock_counts counts{}; // without those that follow from the others

  // Apart, for the sake of visit's speed.
  [[gnu::noinline]] void visit_any(uintptr_t address) {
    auto insn = reinterpret_cast<uint8_t *>(address);
    Patch patch{};
    if (bounds.contain(address))
      patch = find_patch(insn, bounds.end - address, bounds);
    if (!patch.form) {
      counts.mismatched++;
      return;
    }
    counts.stores += patch.form == Patch::store;
    counts.exchanges += patch.form == Patch::exchange;
    uint8_t *byte = insn + patch.offset;
    uint8_t wanted = mode == UPLOCK_UP ? patch.up : patch.smp;
    if (*byte == wanted)
      counts.already++;
    else
      write(byte, wanted);
  }

  void write(uint8_t *byte, uint8_t wanted) {
    if (!text.write) {
      *const_cast<volatile uint8_t *>(byte) = wanted;
      counts.changed++;
    } else if (text.write(text.context, byte, wanted)) {
      counts.changed++;
    } else {
      counts.refused++;
    }
  }
};

} // namespace

extern "C" uplock_counts uplock_apply(const int32_t *table,
                                      const int32_t *table_end,
                                      const uplock_text *text,
                                      uplock_mode mode) {
  Walk walk(*text, mode);
  for (const int32_t *entry = table; entry < table_end; entry++)
    if (*entry)
      walk.visit(reinterpret_cast<uintptr_t>(entry) +
                 static_cast<uintptr_t>(static_cast<intptr_t>(*entry)));
  return walk.result();
}
