// SPDX-License-Identifier: GPL-3.0-or-later

#include "archive.h"

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
    if (bytes.size - at < sizeof header)
      damaged();
    memcpy(&header, bytes.data + at, sizeof header);
    at += sizeof header;
    Bytes member{bytes.data + at,
                 read_number(header.ar_size, sizeof header.ar_size)};
    if (memcmp(header.ar_fmag, ARFMAG, sizeof header.ar_fmag) ||
        member.size > bytes.size - at)
      damaged();
    at += member.size + member.size % 2;

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
