// SPDX-License-Identifier: GPL-3.0-or-later
//
// LOCKS locked instructions in the code of each of UNITS units, each of which has
// blocks nested DEPTH deep, and then WIDTH functions without code.
  .text
begin:
  .rept LOCKS
  lock incl (%rax)
  .endr
end:
  ret

  .section .debug_abbrev
  .uleb128 1, 0x11, 1 // DW_TAG_compile_unit, with children
  .uleb128 0x25, 0x08 // DW_AT_producer, DW_FORM_string
  .uleb128 0x11, 0x01 // DW_AT_low_pc, DW_FORM_addr
  .uleb128 0x12, 0x01 // DW_AT_high_pc, DW_FORM_addr
  .uleb128 0x10, 0x17 // DW_AT_stmt_list, DW_FORM_sec_offset
  .uleb128 0, 0
  .uleb128 2, 0x0b, 1 // DW_TAG_lexical_block, with children
  .uleb128 0x11, 0x01
  .uleb128 0x12, 0x01
  .uleb128 0, 0
  .uleb128 3, 0x2e, 0 // DW_TAG_subprogram, without children
  .uleb128 0, 0, 0

  .section .debug_info
  .rept UNITS
  .long 1f - 0f
0:
  .short 4
  .long 0
  .byte 8 // the size of an address
  .uleb128 1
  .string "GNU GIMPLE"
  .quad begin, end
  .long 0
  .rept DEPTH
  .uleb128 2
  .quad begin, end
  .endr
  .zero DEPTH
  .fill WIDTH, 1, 3
  .byte 0
1:
  .endr

  .section .debug_line
  .long 1f - 0f
0:
  .short 4
  .long 3f - 2f
2:
  .byte 1, 1, 1, 0, 1, 1 // no opcodes of its own
  .byte 0 // no directories
  .string "scopes.c"
  .uleb128 0, 0, 0
  .byte 0
3:
  .byte 0, 9, 2 // DW_LNE_set_address
  .quad begin
  .byte 1 // DW_LNS_copy
1:

  .section .debug_aranges
  .long 1f - 0f
0:
  .short 2
  .long 0
  .byte 8, 0, 0, 0, 0, 0
  .quad begin, end - begin
  .quad 0, 0
1:
