// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whatever a table holds, the core does what the format says, byte for byte and
// count for count, and neither reads nor writes outside of the text.
//
// Random text, half of it made of pieces of instructions, and random tables:
// entries far away, at both edges, at any byte, twice, overlapping, padding.
// Pages that cannot be touched stand around the text. What must come of each
// call is worked out here in another way than in the core.
// RUN: %cxx -O2 -fsanitize=undefined -fno-sanitize-recover -I%root/runtime %s \
// RUN:   %root/runtime/uplock.cc -o %t
// RUN: %t | FileCheck %s
// CHECK:      as expected: {{[1-9][0-9][0-9][0-9]+}} changed,
// CHECK-SAME: {{[1-9][0-9][0-9][0-9]+}} already,
// CHECK-SAME: {{[1-9][0-9][0-9][0-9]+}} mismatched,
// CHECK-SAME: {{[1-9][0-9][0-9][0-9]+}} refused,
// CHECK-SAME: {{[1-9][0-9][0-9][0-9]+}} locks,
// CHECK-SAME: {{[1-9][0-9][0-9][0-9]+}} stores,
// CHECK-SAME: {{[1-9][0-9][0-9][0-9]+}} exchanges
#include "uplock.h"
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <sys/mman.h>
#include <unistd.h>
#include <vector>

using Bytes = std::vector<uint8_t>;

static std::mt19937 random_bits(1);
static unsigned below(unsigned limit) { return random_bits() % limit; }
static bool one_in(unsigned chances) { return below(chances) == 0; }

// What an instruction takes up at most, as far as it is looked at.
constexpr size_t reach = 15;

// The format, by its definition.

static bool is_override(uint8_t byte) {
  return byte && strchr("\x26\x2e\x36\x3e\x64\x65", byte);
}

static bool is_prefix(uint8_t byte) {
  return is_override(byte) || (byte && strchr("\x66\x67\xf0\xf2\xf3", byte));
}

// What F0 becomes behind the COUNT prefixes at CODE.
static uint8_t unlocked(const uint8_t *code, size_t count) {
  while (count--)
    if (is_override(code[count]))
      return code[count];
  return 0x3e;
}

// Where F0 could have been: the last place where what it becomes stands.
static int place_of_lock(const uint8_t *code, size_t count) {
  for (int at = count - 1; at >= 0; at--)
    if (code[at] == unlocked(code, at))
      return at;
  return -1;
}

// Intel SDM vol. 2, appendix A: the upper half of the opcode, then the lower.
static bool allows_lock(const uint8_t *code, size_t size) {
  bool is_escaped = size && code[0] == 0x0f;
  code += is_escaped, size -= is_escaped;
  if (size < 2 || code[1] >> 6 == 3)
    return false;
  unsigned opcode = code[0], digit = code[1] >> 3 & 7;
  if (!is_escaped) {
    if (opcode < 0x38) // add or adc sbb and sub xor
      return (opcode & 7) < 2;
    if (opcode >= 0x80 && opcode <= 0x83 && opcode != 0x82)
      return digit != 7; // cmp
    if (opcode >= 0xf6 && opcode <= 0xf7)
      return digit == 2 || digit == 3;  // not neg
    return opcode >= 0xfe && digit < 2; // inc dec
  }
  if (opcode == 0xba || opcode == 0xc7)
    return opcode == 0xba ? digit > 4 : digit == 1; // bts btr btc, cmpxchg8b
  if (opcode >= 0xa8 && opcode < 0xc0 && (opcode & 7) == 3)
    return opcode != 0xa3; // bts btr btc
  return opcode == 0xb0 || opcode == 0xb1 || opcode == 0xc0 || opcode == 0xc1;
}

struct Change {
  enum Form { none, lock, store, exchange } form = none;
  size_t at = 0;
  uint8_t smp = 0, up = 0;
};

// What the entry at OFFSET of TEXT means.
static Change meaning(const Bytes &text, long offset) {
  if (offset < 0 || offset >= static_cast<long>(text.size()))
    return {};
  const uint8_t *code = text.data() + offset;
  size_t all = text.size() - offset, size = all < reach ? all : reach;

  size_t count = 0, locks = 0, lock = 0, at;
  for (; count < size && is_prefix(code[count]); count++)
    if (code[count] == 0xf0)
      locks++, lock = count;
  at = count;
#ifdef __x86_64__
  if (at < size && code[at] >> 4 == 4)
    at++;
#endif
  if (allows_lock(code + at, size - at)) {
    Bytes up(code, code + count);
    if (locks)
      up[lock] = unlocked(code, lock);
    int place = place_of_lock(up.data(), count);
    if (place < 0 || locks > 1 || (locks && place != static_cast<int>(lock)))
      return {};
    return {Change::lock, offset + static_cast<size_t>(place), 0xf0, up[place]};
  }
  if (locks || at + 1 >= size)
    return {};
  if (code[at] >= 0x86 && code[at] <= 0x89) {
    uint8_t wide = code[at] & 1;
    if (code[at + 1] >> 6 == 3)
      return {};
    return {Change::store, offset + at, static_cast<uint8_t>(0x86 | wide),
            static_cast<uint8_t>(0x88 | wide)};
  }
  if ((code[at] == 0xa9 || code[at] == 0xe9) && at == 0 && all > 5) {
    int32_t distance;
    memcpy(&distance, code + 1, sizeof distance);
    long long target = offset + 5LL + distance;
    bool is_inside = target >= 0 && target < static_cast<long>(text.size());
    bool is_itself = target >= offset && target < offset + 5;
    if (is_inside && !is_itself)
      return {Change::exchange, static_cast<size_t>(offset), 0xa9, 0xe9};
  }
  return {};
}

// Memory: a page that cannot be touched, the table, another, the text, another.

static uint8_t *memory;
static size_t page;
static constexpr size_t max_entries = 64, max_text = 512;
static int32_t *table() { return reinterpret_cast<int32_t *>(memory + page); }

static void map_memory() {
  page = sysconf(_SC_PAGESIZE);
  memory = static_cast<uint8_t *>(
      mmap(nullptr, 5 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  if (memory == MAP_FAILED ||
      mprotect(memory + page, page, PROT_READ | PROT_WRITE) ||
      mprotect(memory + 3 * page, page, PROT_READ | PROT_WRITE))
    abort();
}

// A round: a text, a table, and what must have become of the text.
struct Round {
  unsigned number;
  uint8_t *begin;
  Bytes text;
  std::vector<long> offsets; // of the entries; padding is not there
  size_t entries = 0;
};

[[noreturn]] static void fail(const Round &round, const char *problem) {
  printf("round %u: %s\nnow ", round.number, problem);
  for (size_t i = 0; i < round.text.size(); i++)
    printf(" %02x", round.begin[i]);
  printf("\nnot ");
  for (uint8_t byte : round.text)
    printf(" %02x", byte);
  printf("\nentries");
  for (long offset : round.offsets)
    printf(" %ld", offset);
  printf("\n");
  exit(1);
}

static bool may_write(size_t offset) { return offset % 5 != 0; }

static int write_byte(void *begin, uint8_t *byte, uint8_t value) {
  if (!may_write(byte - static_cast<uint8_t *>(begin)))
    return 0;
  *byte = value;
  return 1;
}

static uplock_counts total;

// Applies MODE, and fails unless everything comes out as expected.
static void apply(Round &round, uplock_mode mode, bool has_writer) {
  Bytes before = round.text;
  uplock_counts wanted{};
  for (long offset : round.offsets) {
    Change change = meaning(round.text, offset);
    wanted.sites++;
    if (!change.form) {
      wanted.mismatched++;
      continue;
    }
    wanted.locks += change.form == Change::lock;
    wanted.stores += change.form == Change::store;
    wanted.exchanges += change.form == Change::exchange;
    uint8_t &byte = round.text[change.at];
    uint8_t value = mode == UPLOCK_UP ? change.up : change.smp;
    if (byte == value) {
      wanted.already++;
    } else if (has_writer && !may_write(change.at)) {
      wanted.refused++;
    } else {
      byte = value;
      wanted.changed++;
    }
  }

  uplock_text text{round.begin, round.begin + round.text.size(),
                   has_writer ? write_byte : nullptr, round.begin};
  uplock_counts counts =
      uplock_apply(table(), table() + round.entries, &text, mode);
  if (memcmp(&counts, &wanted, sizeof counts))
    fail(round, "wrong counts");
  for (size_t i = 0; i < before.size(); i++) {
    uint8_t now = round.begin[i];
    uint8_t smp = mode == UPLOCK_UP ? before[i] : now;
    uint8_t up = mode == UPLOCK_UP ? now : before[i];
    if (now != before[i] && !(smp == 0xf0 && is_override(up)) &&
        !(smp == 0x86 && up == 0x88) && !(smp == 0x87 && up == 0x89) &&
        !(smp == 0xa9 && up == 0xe9))
      fail(round, "a change that is none of the format's");
  }
  if (!std::equal(round.text.begin(), round.text.end(), round.begin))
    fail(round, "a wrong text");
  total.changed += counts.changed;
  total.already += counts.already;
  total.mismatched += counts.mismatched;
  total.refused += counts.refused;
  total.locks += counts.locks;
  total.stores += counts.stores;
  total.exchanges += counts.exchanges;
}

// Random text and tables.

template <size_t size> static uint8_t any_of(const uint8_t (&bytes)[size]) {
  return bytes[below(size)];
}

static void add_instruction(Bytes &text) {
  static const uint8_t prefixes[] = {0x66, 0x67, 0x2e, 0x36, 0x3e, 0x26,
                                     0x64, 0x65, 0xf2, 0xf3, 0xf0, 0x3e};
  static const uint8_t opcodes[] = {
      0x00, 0x01, 0x09, 0x11, 0x19, 0x21, 0x29, 0x31, 0x39, 0x80, 0x81,
      0x82, 0x83, 0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x90, 0xa9,
      0xc3, 0xe9, 0xf6, 0xf7, 0xfe, 0xff, 0x87, 0x89, 0xa9, 0xe9};
  static const uint8_t escaped[] = {0xa3, 0xab, 0xb0, 0xb1, 0xb3, 0xba, 0xbb,
                                    0xbc, 0xc0, 0xc1, 0xc3, 0xc7, 0x0f};
  for (unsigned count = below(one_in(8) ? 15 : 4); count; count--)
    text.push_back(any_of(prefixes));
  if (one_in(2))
    text.push_back(one_in(2) ? 0xf0 : 0x3e);
  if (one_in(3))
    text.push_back(0x40 | below(16));
  if (one_in(2)) {
    text.push_back(0x0f);
    text.push_back(any_of(escaped));
  } else {
    text.push_back(any_of(opcodes));
  }
  if (one_in(2)) { // a short distance, either way, or ModRM
    text.push_back(below(256));
    text.insert(text.end(), 3, one_in(2) ? 0xff : 0x00);
  }
}

// The text, and where its pieces of instructions begin.
static Bytes random_text(std::vector<long> &starts) {
  Bytes text;
  size_t size = one_in(4) ? below(20) : below(max_text);
  while (text.size() < size)
    if (one_in(3)) {
      text.push_back(below(256));
    } else {
      starts.push_back(text.size());
      add_instruction(text);
    }
  text.resize(size); // cut off
  return text;
}

// The first of STARTS from OFFSET on, or OFFSET.
static long at_least(const std::vector<long> &starts, long offset) {
  auto found = std::lower_bound(starts.begin(), starts.end(), offset);
  return found == starts.end() ? offset : *found;
}

// Fills the table; apart: no two entries look at the same byte.
static void fill_table(Round &round, const std::vector<long> &starts,
                       bool apart) {
  long size = round.text.size(), next = below(reach);
  auto begin = reinterpret_cast<intptr_t>(round.begin);
  round.entries = below(max_entries);
  for (size_t i = 0; i < round.entries; i++) {
    auto entry = reinterpret_cast<intptr_t>(&table()[i]);
    long offset = 0;
    if (one_in(16)) {
      table()[i] = 0;
    } else if (one_in(16) && !apart) {
      static const int32_t far[] = {INT32_MIN, INT32_MAX, 1, -1, 4, -4};
      table()[i] = far[below(6)];
      offset = static_cast<long>(static_cast<uintptr_t>(entry) + table()[i] -
                                 static_cast<uintptr_t>(begin));
    } else {
      if (apart)
        offset = at_least(starts, next), next = offset + reach;
      else if (one_in(2))
        offset = at_least(starts, size ? below(size) : 0);
      else if (i && one_in(8))
        offset = round.offsets.empty() ? 0 : round.offsets.back();
      else if (one_in(8))
        offset = one_in(2) ? static_cast<long>(below(20)) - 20
                           : size - 10 + static_cast<long>(below(20));
      else
        offset = size ? below(size) : 0;
      table()[i] = static_cast<int32_t>(begin + offset - entry);
    }
    if (table()[i]) // otherwise it is padding
      round.offsets.push_back(offset);
  }
}

int main() {
  map_memory();
  for (unsigned number = 0; number < 60000; number++) {
    std::vector<long> starts;
    Round round{number, nullptr, random_text(starts), {}};
    // Against the page behind it, or against the one in front of it.
    round.begin =
        memory + 3 * page + (number % 2 ? page - round.text.size() : 0);
    std::copy(round.text.begin(), round.text.end(), round.begin);
    bool apart = one_in(2), has_writer = one_in(4);
    fill_table(round, starts, apart);

    if (!apart || has_writer) {
      for (int i = 0; i < 4; i++)
        apply(round, one_in(2) ? UPLOCK_UP : UPLOCK_SMP, has_writer);
      continue;
    }
    // Only entries that do not overlap are independent of each other. What
    // looks as if it were in UP mode at first is so for the core.
    apply(round, UPLOCK_SMP, false);
    Bytes smp = round.text;
    apply(round, UPLOCK_UP, false);
    Bytes up = round.text;
    apply(round, UPLOCK_UP, false);
    if (round.text != up)
      fail(round, "UP twice is not UP once");
    apply(round, UPLOCK_SMP, false);
    if (round.text != smp)
      fail(round, "not restored");
  }
  printf("as expected: %zu changed, %zu already, %zu mismatched, %zu refused, "
         "%zu locks, %zu stores, %zu exchanges\n",
         total.changed, total.already, total.mismatched, total.refused,
         total.locks, total.stores, total.exchanges);
}
