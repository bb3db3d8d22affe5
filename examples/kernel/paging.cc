// SPDX-License-Identifier: MIT
//
// See paging.h.
//
//   0         - 4K     nothing: a null pointer faults
//   image              text and init read and execute, rodata read,
//                      data read and write, in pages of 4 KB
//   rest of 4 GB       read and write, not executable, in pages of 2 MB;
//                      from 3 GB on (device registers) not cached
//   2 GB      - +4 MB  the text window, the image's text a second time:
//                      read and write, not executable, and not there at all
//                      unless somebody patches
//   2 GB+4 MB - +2 MB  the lazy page, for the page fault scenario
//
// CR0.WP is set, so that the kernel itself may not write what is read-only. The
// alternative to the window is to clear WP for the time of a switch; but then
// every stray store of an interrupt handler that comes in between may write
// text too.
//
// i386 with PAE and x86-64 have the same entries and the same two lower levels.
// The upper ones differ by one level and by the flags of four entries.

#include "paging.h"
#include "machine.h"

namespace {

using Entry = uint64_t;

constexpr Entry present = 1, writable = 2, uncached = 0x10, large = 0x80,
                no_execute = 1ull << 63;
constexpr Entry read_execute = present;
constexpr Entry read_only = present | no_execute;
constexpr Entry read_write = present | writable | no_execute;

constexpr uint64_t page_size = 4096;
constexpr unsigned entries = 512;
constexpr uint64_t table_span = entries * page_size; // 2 MB
constexpr unsigned gigabytes = 4;
constexpr uintptr_t device_memory = 0xc0000000;

struct alignas(4096) Table {
  Entry entry[entries];
};

#ifdef __x86_64__
Table root;
constexpr Entry upper = present | writable;
#else
constexpr Entry upper = present; // other bits are reserved there
#endif
Table directories_of[1];      // one entry a gigabyte
Table directories[gigabytes]; // one entry 2 MB
constexpr unsigned image_tables = 2;
Table low[image_tables], window[image_tables], lazy;

constexpr uintptr_t window_begin = 0x80000000;
constexpr uintptr_t lazy_begin = window_begin + image_tables * table_span;
alignas(4096) uint8_t lazy_memory[page_size];

Entry to(const void *what, Entry flags) {
  return reinterpret_cast<uintptr_t>(what) | flags;
}

void install(uintptr_t address, const Table &table) {
  uint64_t index = address / table_span;
  directories[index / entries].entry[index % entries] =
      to(&table, present | writable);
}

Entry &entry_of(Table *tables, uintptr_t offset) {
  return tables[offset / table_span].entry[offset / page_size % entries];
}

void protect(const char *begin, const char *end, Entry flags) {
  for (; begin < end; begin += page_size)
    entry_of(low, reinterpret_cast<uintptr_t>(begin)) = to(begin, flags);
}

// All pages that have code.
template <typename What> void for_each_text_page(What what) {
  for (char *page = init_begin; page < text_end; page += page_size)
    what(page, window_begin + reinterpret_cast<uintptr_t>(page));
}

} // namespace

extern "C" uintptr_t start_page_tables;

void paging_init() {
  for (uint64_t i = 0; i < gigabytes * entries; i++) {
    uint64_t address = i * table_span;
    Entry flags = read_write | large;
    if (address >= device_memory)
      flags |= uncached;
    directories[i / entries].entry[i % entries] = address | flags;
  }
  for (uintptr_t page = page_size; page < image_tables * table_span;
       page += page_size)
    entry_of(low, page) = page | read_write;
  protect(init_begin, text_end, read_execute);
  protect(rodata_begin, rodata_end, read_only);
  protect(image_begin, init_begin, read_only);

  for (unsigned i = 0; i < image_tables; i++) {
    install(i * table_span, low[i]);
    install(window_begin + i * table_span, window[i]);
  }
  install(lazy_begin, lazy);
  for (unsigned i = 0; i < gigabytes; i++)
    directories_of->entry[i] = to(&directories[i], upper);
#ifdef __x86_64__
  root.entry[0] = to(directories_of, upper);
  start_page_tables = reinterpret_cast<uintptr_t>(&root);
#else
  start_page_tables = reinterpret_cast<uintptr_t>(directories_of);
#endif
  write_page_tables(start_page_tables);
}

void open_text_window() {
  for_each_text_page([](char *page, uintptr_t) {
    entry_of(window, reinterpret_cast<uintptr_t>(page)) = to(page, read_write);
  });
}

void close_text_window() {
  for_each_text_page([](char *page, uintptr_t address) {
    entry_of(window, reinterpret_cast<uintptr_t>(page)) = 0;
    invalidate_page(address);
  });
}

volatile uint8_t *in_text_window(uint8_t *byte) {
  return reinterpret_cast<volatile uint8_t *>(
      window_begin + reinterpret_cast<uintptr_t>(byte));
}

void release_init() {
  protect(init_begin, init_end, read_write);
  for (char *page = init_begin; page < init_end; page += page_size)
    invalidate_page(reinterpret_cast<uintptr_t>(page));
}

unsigned writable_code_pages() {
  unsigned count = 0;
  auto look_at = [&count](const Table &table, Entry kind) {
    for (Entry entry : table.entry)
      count +=
          (entry & kind) == kind && (entry & writable) && !(entry & no_execute);
  };
  for (const Table &table : directories)
    look_at(table, present | large);
  for (const Table &table : low)
    look_at(table, present);
  for (const Table &table : window)
    look_at(table, present);
  look_at(lazy, present);
  return count;
}

uintptr_t lazy_page() { return lazy_begin; }

bool map_lazily(uintptr_t address) {
  if (address / page_size != lazy_begin / page_size)
    return false;
  lazy.entry[0] = to(lazy_memory, read_write);
  return true;
}

void unmap_lazy_page() {
  lazy.entry[0] = 0;
  invalidate_page(lazy_begin);
}
