// SPDX-License-Identifier: MIT
//
// What the loader has to say: the command line, and where ACPI's tables are.

#ifndef KERNEL_BOOT_INFO_H
#define KERNEL_BOOT_INFO_H

#include <cstdint>

// Reads it from what start in boot.S found in %eax and %ebx. Before paging.cc
// takes over: the loader's data may be anywhere below 4 GB.
void boot_info_init(uint32_t magic, uint32_t info);

const char *boot_loader(); // "PVH" or "multiboot2"
uint32_t boot_rsdp();      // the address of ACPI's root pointer, 0 if not told

// Calls what with each word of the command line, in order.
void for_each_word(void (*what)(const char *word));
bool has_word(const char *word);
bool equal(const char *a, const char *b);

#endif
