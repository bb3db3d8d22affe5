// SPDX-License-Identifier: GPL-3.0-or-later
//
// A locked instruction, in a unit whose producer is a string of the file NAME, as
// dwz writes it (DW_FORM_GNU_strp_alt).
  .text
  lock incl (%rax)
  ret

  .section .debug_abbrev
  .uleb128 1, 0x11, 0 // DW_TAG_compile_unit, without children
  .uleb128 0x25, 0x1f21 // DW_AT_producer, DW_FORM_GNU_strp_alt
  .uleb128 0, 0, 0

  .section .debug_info
  .long 1f - 0f
0:
  .short 4
  .long 0
  .byte 8 // the size of an address
  .uleb128 1
  .long 0
1:

  .section .gnu_debugaltlink
  .string NAME
  .ascii "its build ID"
