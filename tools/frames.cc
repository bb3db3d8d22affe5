// SPDX-License-Identifier: GPL-3.0-or-later

#include "frames.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <optional>

#include <dwarf.h>
#include <elfutils/libdw.h>

using namespace uplock;

namespace {

constexpr uint8_t format_mask = 0x0f, application_mask = 0x70;

// Reads what .eh_frame and .gcc_except_table are made of. Once something cannot
// be read, nothing that follows can: ask `failed` at the end.
class Cursor {
public:
  Cursor(const ElfFile &file, Bytes bytes, uint64_t address)
      : file(file), bytes(bytes), address(address) {}

  bool failed = false;
  size_t at = 0;

  uint64_t fixed(size_t size) {
    uint64_t value = 0;
    if (size > bytes.size - at) {
      failed = true;
      return 0;
    }
    memcpy(&value, bytes.data + at, size);
    at += size;
    return value;
  }
  uint8_t byte() { return fixed(1); }

  uint64_t leb128(bool is_signed) {
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t next;
    do {
      next = byte();
      if (failed || shift >= 64) {
        failed = true;
        return 0;
      }
      value |= uint64_t{next & 0x7fu} << shift;
      shift += 7;
    } while (next & 0x80);
    if (is_signed && next & 0x40 && shift < 64)
      value |= ~uint64_t{0} << shift;
    return value;
  }

  // A value in one of the DW_EH_PE formats; its application is left out.
  uint64_t number(uint8_t encoding) {
    switch (encoding & format_mask) {
    case DW_EH_PE_absptr:
      return fixed(file.wrap(~uint64_t{0}) == ~uint64_t{0} ? 8 : 4);
    case DW_EH_PE_uleb128:
      return leb128(false);
    case DW_EH_PE_sleb128:
      return leb128(true);
    case DW_EH_PE_udata2:
      return fixed(2);
    case DW_EH_PE_udata4:
      return fixed(4);
    case DW_EH_PE_udata8:
    case DW_EH_PE_sdata8:
      return fixed(8);
    case DW_EH_PE_sdata2:
      return static_cast<int16_t>(fixed(2));
    case DW_EH_PE_sdata4:
      return static_cast<int32_t>(fixed(4));
    default:
      failed = true;
      return 0;
    }
  }

  // An address; 0 is none.
  uint64_t pointer(uint8_t encoding) {
    uint64_t here = address + at;
    uint64_t value = number(encoding);
    if (failed || !value)
      return 0;
    switch (encoding & ~format_mask) {
    case DW_EH_PE_absptr:
      return file.wrap(value);
    case DW_EH_PE_pcrel:
      return file.wrap(here + value);
    default: // from other bases, or indirect
      failed = true;
      return 0;
    }
  }

private:
  const ElfFile &file;
  Bytes bytes;
  uint64_t address;
};

// What a CIE says about its FDEs.
struct Encodings {
  uint8_t code = DW_EH_PE_absptr;
  uint8_t landing_data = DW_EH_PE_omit;
  bool has_augmentation = false;
};

[[noreturn]] void unreadable(const Section &section) {
  throw Unusable(std::string("section ") + section.name +
                 ": an entry is damaged, or of a kind that is not known");
}

class Reader {
public:
  Reader(const ElfFile &file, const Section &section)
      : file(file), section(section),
        data(elf_getdata(elf_getscn(file.handle(), section.index), nullptr)) {
    if (!data || data->d_size != section.bytes.size)
      unreadable(section);
  }

  void read(std::vector<Frame> &frames) {
    Dwarf_Off offset = 0, next = 0;
    Dwarf_CFI_Entry entry;
    for (; !next_entry(offset, next, entry); offset = next)
      if (!dwarf_cfi_cie_p(&entry))
        read_fde(entry.fde, frames);
  }

private:
  const ElfFile &file;
  const Section &section;
  Elf_Data *data;
  std::map<Dwarf_Off, Encodings> known;
  uint64_t unread = file.bytes.size;

  // Returns 1 at the end.
  int next_entry(Dwarf_Off offset, Dwarf_Off &next, Dwarf_CFI_Entry &entry) {
    int result =
        dwarf_next_cfi(file.bytes.data, data, true, offset, &next, &entry);
    if (result < 0 || (!result && next <= offset))
      unreadable(section);
    return result;
  }

  const Encodings &encodings(Dwarf_Off cie_offset) {
    auto before = known.find(cie_offset);
    if (before != known.end())
      return before->second;
    Dwarf_CFI_Entry entry;
    Dwarf_Off next;
    if (next_entry(cie_offset, next, entry) || !dwarf_cfi_cie_p(&entry))
      unreadable(section);
    const Dwarf_CIE &cie = entry.cie;
    Encodings found;
    const char *letter = cie.augmentation;
    if (*letter == 'z') {
      found.has_augmentation = true;
      Cursor cursor(file, {cie.augmentation_data, cie.augmentation_data_size},
                    0);
      while (*++letter && !cursor.failed)
        switch (*letter) {
        case 'L':
          found.landing_data = cursor.byte();
          break;
        case 'R':
          found.code = cursor.byte();
          break;
        case 'P': {
          uint8_t encoding = cursor.byte();
          cursor.number(encoding);
          break;
        }
        case 'S': // of a signal's frame
          break;
        default:
          unreadable(section);
        }
      if (cursor.failed)
        unreadable(section);
    } else if (*letter) {
      unreadable(section);
    }
    return known[cie_offset] = found;
  }

  void read_fde(const Dwarf_FDE &fde, std::vector<Frame> &frames) {
    Encodings how = encodings(fde.CIE_pointer);
    auto bytes = static_cast<const uint8_t *>(data->d_buf);
    Cursor cursor(file, {fde.start, static_cast<size_t>(fde.end - fde.start)},
                  section.address + (fde.start - bytes));
    uint64_t begin = cursor.pointer(how.code);
    uint64_t size = cursor.number(how.code);
    uint64_t landing_data = 0;
    if (how.has_augmentation) {
      cursor.leb128(false);
      if (how.landing_data != DW_EH_PE_omit)
        landing_data = cursor.pointer(how.landing_data);
    }
    if (cursor.failed)
      unreadable(section);
    auto place = file.code_at(begin);
    if (!place || !size)
      return; // a section that was discarded
    if (size > file.sections()[place->section].size - place->offset)
      unreadable(section);
    Frame frame{begin, begin + size, {}, ""};
    if (landing_data && !read_landing_pads(landing_data, frame))
      frame.problem = "where exceptions land in it cannot be read";
    frames.push_back(std::move(frame));
  }

  bool read_landing_pads(uint64_t address, Frame &frame) {
    auto place = file.loaded_at(address);
    if (!place)
      return false;
    const Section &table = file.sections()[place->section];
    Cursor cursor(file, table.bytes, table.address);
    cursor.at = place->offset;
    if (cursor.byte() != DW_EH_PE_omit)
      return false; // counted from elsewhere than the function's start
    if (cursor.byte() != DW_EH_PE_omit)
      cursor.leb128(false); // the types
    uint8_t encoding = cursor.byte();
    if (encoding & application_mask)
      return false;
    uint64_t size = cursor.leb128(false);
    if (cursor.failed || size > table.bytes.size - cursor.at)
      return false;
    // Each function has its own: together they are no more than the file.
    if (size > unread)
      unreadable(section);
    unread -= size;
    uint64_t end = cursor.at + size;
    while (cursor.at < end && !cursor.failed) {
      cursor.number(encoding); // from where
      cursor.number(encoding); // how many bytes
      uint64_t pad = cursor.number(encoding);
      cursor.leb128(false); // what to do
      if (pad)
        frame.landing_pads.push_back(file.wrap(frame.begin + pad));
    }
    return !cursor.failed && cursor.at == end;
  }
};

} // namespace

std::vector<Frame> uplock::read_frames(const ElfFile &file) {
  std::vector<Frame> frames;
  for (const Section &section : file.sections())
    if (!strcmp(section.name, ".eh_frame") && section.flags & SHF_ALLOC &&
        section.bytes.size)
      Reader(file, section).read(frames);
  // They are in runs: those of an object file are in order.
  std::stable_sort(frames.begin(), frames.end(),
                   [](auto &a, auto &b) { return a.begin < b.begin; });
  return frames;
}
