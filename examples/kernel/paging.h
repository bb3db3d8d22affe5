// SPDX-License-Identifier: MIT
//
// Page tables: no page is writable and executable, and text can be written all
// the same.

#ifndef KERNEL_PAGING_H
#define KERNEL_PAGING_H

#include <cstdint>

// From kernel.ld.
extern "C" {
extern char image_begin[], init_begin[], init_end[], text_begin[], text_end[],
    rodata_begin[], rodata_end[], image_end[];
}

void paging_init();

// A second view of the kernel's text, writable and not executable. It exists
// between these two calls; they come from one CPU while it is the only one.
void open_text_window();
void close_text_window();
// A byte of the text as the window shows it.
volatile uint8_t *in_text_window(uint8_t *byte);

// Makes [init_begin, init_end) plain data.
void release_init();

// How many pages are both writable and executable.
unsigned writable_code_pages();

// An address at which nothing is mapped until map_lazily is called with it.
uintptr_t lazy_page();
bool map_lazily(uintptr_t address); // was it this page?
void unmap_lazy_page();

#endif
