// SPDX-License-Identifier: MIT
//
// See acpi.h. The formats: ACPI specification 6.4, 5.2.5 (RSDP), 5.2.7 (RSDT),
// 5.2.8 (XSDT), 5.2.12 (MADT).

#include "acpi.h"
#include "serial.h"

namespace {

struct [[gnu::packed]] Rsdp {
  char signature[8]; // "RSD PTR "
  uint8_t checksum;
  char oem[6];
  uint8_t revision;
  uint32_t rsdt;
  // From revision 2 on:
  uint32_t length;
  uint64_t xsdt;
};
constexpr unsigned rsdp_v1_size = 20;

struct [[gnu::packed]] Header {
  char signature[4];
  uint32_t length;
  uint8_t revision, checksum;
  char oem[6], oem_table[8];
  uint32_t oem_revision, creator, creator_revision;
};

struct [[gnu::packed]] Madt {
  Header header;
  uint32_t apic_address, flags;
  // Entries follow.
};

struct [[gnu::packed]] LocalApic {
  static constexpr uint8_t type_value = 0;
  static constexpr uint32_t enabled = 1, online_capable = 2;
  uint8_t type, length, processor, apic_id;
  uint32_t flags;
};

template <typename T> const T *at(uintptr_t address) {
  return reinterpret_cast<const T *>(address);
}

bool sums_to_zero(uintptr_t begin, unsigned size) {
  uint8_t sum = 0;
  for (unsigned i = 0; i < size; i++)
    sum = static_cast<uint8_t>(sum + at<uint8_t>(begin)[i]);
  return sum == 0;
}

bool starts_with(uintptr_t address, const char *signature) {
  for (unsigned i = 0; signature[i]; i++)
    if (at<char>(address)[i] != signature[i])
      return false;
  return true;
}

uintptr_t find_rsdp(uintptr_t begin, uintptr_t end) {
  for (uintptr_t address = begin; address < end; address += 16)
    if (starts_with(address, "RSD PTR ") && sums_to_zero(address, rsdp_v1_size))
      return address;
  return 0;
}

// Where a PC's BIOS leaves it (5.2.5.1): the first kilobyte of its extended
// data area, whose segment stands at 40e, or below 1 MB.
uintptr_t find_rsdp() {
  uintptr_t segment = 0x40e;
  asm("" : "+r"(segment)); // GCC warns of everything in page 0 that it knows of
  uintptr_t data = uintptr_t{*at<uint16_t>(segment)} << 4;
  uintptr_t found = data ? find_rsdp(data, data + 1024) : 0;
  return found ? found : find_rsdp(0xe0000, 0x100000);
}

uintptr_t find_table(const Rsdp *rsdp, const char *signature) {
  bool wide = rsdp->revision >= 2 && rsdp->xsdt;
  auto root = wide ? static_cast<uintptr_t>(rsdp->xsdt) : rsdp->rsdt;
  unsigned size = wide ? 8 : 4;
  uintptr_t end = root + at<Header>(root)->length;
  for (uintptr_t entry = root + sizeof(Header); entry < end; entry += size) {
    // Only what lies below 4 GB is mapped.
    bool reachable = !wide || at<uint32_t>(entry)[1] == 0;
    if (reachable && starts_with(*at<uint32_t>(entry), signature))
      return *at<uint32_t>(entry);
  }
  return 0;
}

} // namespace

unsigned acpi_possible_cpus(uint32_t told, CpuEntry (&entries)[max_cpus]) {
  uintptr_t rsdp = told ? told : find_rsdp();
  uintptr_t madt = rsdp ? find_table(at<Rsdp>(rsdp), "APIC") : 0;
  if (!madt)
    panic("there is no MADT: which CPUs there are cannot be told");

  unsigned count = 0;
  uintptr_t end = madt + at<Header>(madt)->length;
  for (uintptr_t entry = madt + sizeof(Madt); entry < end;) {
    auto apic = at<LocalApic>(entry);
    if (apic->length < 2)
      panic("the MADT is damaged: an entry of length ", unsigned{apic->length});
    bool enabled = apic->flags & LocalApic::enabled;
    // QEMU sets neither flag for a CPU that can be plugged in (ACPI 1.0 knew
    // nothing else), so every entry counts as possible.
    if (apic->type == LocalApic::type_value && count < max_cpus)
      entries[count++] = {apic->apic_id, enabled};
    entry += apic->length;
  }
  return count;
}
