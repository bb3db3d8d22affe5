// SPDX-License-Identifier: MIT
//
// The kernel cannot write to its text, nor execute its data, and no page allows
// both: patching has not opened a door.

#include "interrupts.h"
#include "machine.h"
#include "paging.h"
#include "scenarios.h"
#include "serial.h"

namespace {

// Bits of a page fault's error code (Intel SDM vol. 3, 4.7).
constexpr uintptr_t page_present = 1, was_write = 2, was_fetch = 0x10;

uintptr_t error, recovery;

Frame *recover(Frame *frame) {
  error = frame->error;
  frame->ip = recovery;
  return frame;
}

#ifdef __x86_64__
#define MOVE "movq "
#else
#define MOVE "movl "
#endif

uintptr_t error_of_store(volatile uint8_t *where) {
  error = 0;
  asm volatile(MOVE "$1f, %0; movb $0, %1; 1:"
               : "=m"(recovery), "=m"(*where)
               :
               : "memory");
  return error;
}

uintptr_t error_of_jump(const volatile uint8_t *where) {
  error = 0;
  asm volatile(MOVE "$1f, %0; jmp *%1; 1:"
               : "=m"(recovery)
               : "r"(where)
               : "memory");
  return error;
}

volatile uint8_t data[16];

} // namespace

bool protect() {
  handle_page_fault(recover);
  auto text = reinterpret_cast<uint8_t *>(text_begin);
  uintptr_t to_text = error_of_store(text);
  uintptr_t to_window = error_of_store(in_text_window(text));
  uintptr_t to_data = error_of_store(data);
  uintptr_t into_data = error_of_jump(data);
  handle_page_fault(nullptr);
  unsigned both = writable_code_pages();

  print("protect: page fault errors: store to text ", Hex{to_text},
        ", to the closed window ", Hex{to_window}, ", to data ", Hex{to_data},
        ", jump into data ", Hex{into_data},
        "; pages writable and executable: ", both, "\n");
  return to_text == (page_present | was_write) && to_window == was_write &&
         to_data == 0 && into_data == (page_present | was_fetch) && both == 0;
}
