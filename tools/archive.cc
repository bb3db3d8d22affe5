// SPDX-License-Identifier: GPL-3.0-or-later

#include "archive.h"

#include <cstdint>
#include <cstdio>
#include <cstring>

#include <ar.h>

using namespace uplock;

namespace {

[[noreturn]] void damaged() {
  throw Unusable("the archive is truncated or damaged");
}

// A field of a header: digits, then spaces.
size_t read_number(const char *field, size_t size) {
  size_t number = 0, i = 0;
  for (; i < size && field[i] >= '0' && field[i] <= '9'; i++)
    number = 10 * number + (field[i] - '0'); // at most 15 digits
  if (!i)
    damaged();
  return number;
}

// `name/`, or `/offset` into the member of long names, where each ends in
// "/\n".
std::string read_name(const ar_hdr &header, Bytes long_names) {
  std::string name(header.ar_name, sizeof header.ar_name);
  if (name[0] == '/') {
    size_t at = read_number(header.ar_name + 1, sizeof header.ar_name - 1);
    if (at >= long_names.size)
      damaged();
    auto text = reinterpret_cast<const char *>(long_names.data);
    auto end = static_cast<const char *>(
        memchr(text + at, '\n', long_names.size - at));
    if (!end)
      damaged();
    name.assign(text + at, end);
  }
  return name.substr(0, name.find_last_not_of("/ ") + 1);
}

bool begins_with(Bytes bytes, const char *magic, size_t size) {
  return bytes.size >= size && !memcmp(bytes.data, magic, size);
}

// The member whose header is at AT, which is then where the next one is.
Bytes read_member(Bytes bytes, size_t &at, ar_hdr &header) {
  if (bytes.size - at < sizeof header)
    damaged();
  memcpy(&header, bytes.data + at, sizeof header);
  at += sizeof header;
  Bytes member{bytes.data + at,
               read_number(header.ar_size, sizeof header.ar_size)};
  if (memcmp(header.ar_fmag, ARFMAG, sizeof header.ar_fmag) ||
      member.size > bytes.size - at)
    damaged();
  at += member.size;
  at += at % 2 && at < bytes.size;
  return member;
}

// Changes the numbers of the index at AT, which say where each symbol's member
// has its header: big-endian, SIZE bytes each, the first one is how many.
void move_index(std::vector<uint8_t> &index, size_t size,
                const std::map<uint64_t, uint64_t> &moved) {
  auto read = [&](size_t at) {
    uint64_t number = 0;
    for (size_t i = 0; i < size; i++)
      number = number << 8 | index[at + i];
    return number;
  };
  if (index.size() < size || read(0) > index.size() / size - 1)
    damaged();
  for (uint64_t i = 1; i <= read(0); i++) {
    auto found = moved.find(read(i * size));
    if (found == moved.end())
      damaged();
    uint64_t number = found->second;
    if (size == 4 && number > UINT32_MAX)
      throw Unusable("the archive would become too large for its index");
    for (size_t byte = 0; byte < size; byte++)
      index[i * size + byte] = number >> 8 * (size - 1 - byte);
  }
}

} // namespace

void uplock::for_each_elf(const std::string &name, Bytes bytes,
                          const std::function<void(ElfFile &)> &visit) {
  if (!begins_with(bytes, ARMAG, SARMAG)) {
    ElfFile file(name, bytes);
    visit(file);
    return;
  }

  Bytes long_names;
  for (size_t at = SARMAG; at < bytes.size;) {
    ar_hdr header;
    Bytes member = read_member(bytes, at, header);

    if (!memcmp(header.ar_name, "// ", 3))
      long_names = member;
    bool is_bitcode = begins_with(member, "BC\xc0\xde", 4);
    if (!begins_with(member, ELFMAG, SELFMAG) && !is_bitcode)
      continue;
    std::string of = read_name(header, long_names);
    try {
      ElfFile file(name + "(" + of + ")", member);
      visit(file);
    } catch (const Unusable &problem) {
      throw Unusable("member " + of + ": " + problem.what());
    }
  }
}

std::vector<uint8_t>
uplock::with_members(Bytes bytes,
                     const std::map<uint64_t, std::vector<uint8_t>> &changed) {
  if (changed.empty())
    return {bytes.data, bytes.data + bytes.size};
  if (!begins_with(bytes, ARMAG, SARMAG))
    return changed.begin()->second;

  std::vector<uint8_t> result(bytes.data, bytes.data + SARMAG);
  std::map<uint64_t, uint64_t> moved; // headers
  size_t index_at = 0, index_size = 0, number_size = 0;
  for (size_t at = SARMAG; at < bytes.size;) {
    ar_hdr header;
    moved[at] = result.size();
    Bytes member = read_member(bytes, at, header);
    auto other = changed.find(member.data - bytes.data);
    if (other != changed.end())
      member = {other->second.data(), other->second.size()};
    char size[sizeof header.ar_size + 1];
    if (snprintf(size, sizeof size, "%-10zu", member.size) >=
        static_cast<int>(sizeof size))
      throw Unusable("a member would become too large for an archive");
    memcpy(header.ar_size, size, sizeof header.ar_size);
    auto text = reinterpret_cast<const uint8_t *>(&header);
    result.insert(result.end(), text, text + sizeof header);
    bool is_wide = !memcmp(header.ar_name, "/SYM64/ ", 8);
    if (is_wide || !memcmp(header.ar_name, "/ ", 2)) {
      index_at = result.size();
      index_size = member.size;
      number_size = is_wide ? 8 : 4;
    }
    result.insert(result.end(), member.data, member.data + member.size);
    if (result.size() % 2)
      result.push_back('\n');
  }
  if (index_at) {
    auto begin = result.begin() + index_at;
    std::vector<uint8_t> index(begin, begin + index_size);
    move_index(index, number_size, moved);
    std::copy(index.begin(), index.end(), begin);
  }
  return result;
}
