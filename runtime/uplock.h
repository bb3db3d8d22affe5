/* SPDX-License-Identifier: MIT
 *
 * uplock: run without LOCK prefixes while there is one CPU.
 *
 * This header and uplock.cc are all that a kernel needs. They use no library,
 * allocate nothing, and run no locked instruction and no atomics. Any C or C++
 * code may call them.
 *
 * The table, written by the compiler plugin into the section .smp_locks, holds
 * 4-byte aligned signed 32-bit values: the address of an instruction's first
 * byte minus the address of the entry itself. Zero is padding. A linker
 * script gives it bounds:
 *
 *   .smp_locks : { __smp_locks = .; *(.smp_locks) __smp_locks_end = .; }
 *
 * without KEEP, which would bring dead functions back.
 */
#ifndef UPLOCK_H
#define UPLOCK_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the code is to be ready for. */
enum uplock_mode {
  UPLOCK_SMP = 0, /* several CPUs: every instruction locked, as compiled */
  UPLOCK_UP = 1   /* one CPU: no locked instruction */
};

/* How code is to be written.
 *
 * byte: the byte to change, inside the text bounds. value: its new value.
 * Returns 1 when the byte has been or will be written, 0 when it cannot be; it
 * then stays as it was, and that is counted. context: from uplock_text.
 */
typedef int (*uplock_write)(void *context, uint8_t *byte, uint8_t value);

/* The code that a table may speak of. */
struct uplock_text {
  const void *begin;  /* first byte */
  const void *end;    /* behind the last byte */
  uplock_write write; /* null: the text is writable, a plain store will do */
  void *context;      /* for write */
};

/* What became of a table. sites == changed + already + mismatched + refused,
 * and all but the mismatched are of one of three forms:
 * locks + stores + exchanges == sites - mismatched. An entry is mismatched if
 * it points out of the text, at none of the three, or at one of which less than
 * prefixes, opcode and ModRM (of a switch, all) is in the text.
 */
struct uplock_counts {
  size_t sites;      /* entries that are not padding */
  size_t changed;    /* instructions that were changed */
  size_t already;    /* instructions that were in the mode */
  size_t mismatched; /* entries that no instruction of these forms is at */
  size_t refused;    /* bytes that the writer could not write */
  size_t locks;      /* LOCK, or what took its place, where LOCK is allowed */
  size_t stores;     /* an xchg whose result nobody reads, or a mov to memory */
  size_t exchanges;  /* a switch, test or jmp: as a jmp it stays in the text */
};

/* Brings every instruction of the table [table, table_end) to the mode.
 *
 * Of each instruction the opcode and its surroundings are checked, and one byte
 * is written; anything that does not look as expected is left alone and
 * counted. A second call or a call after a failure does no harm. Instructions
 * are independent of each other: in the middle of the work the program is
 * correct.
 *
 * Whatever the table holds, nothing outside the text is read or written, and no
 * byte becomes what it is in neither mode. But what stands around an
 * instruction is not known: a table that is wrong on purpose can name an xchg
 * whose result is read, a mov that never was an xchg, or a test or jmp that is
 * no switch.
 *
 * Call it with UPLOCK_UP only while this CPU is the only one that runs the text
 * or shares its data. Call it with UPLOCK_SMP before a second CPU is started
 * (before the SIPI); where other CPUs may already hold the text in their
 * pipelines, each must run a serialising instruction before it runs the text
 * (Intel SDM vol. 3, 9.1.3, "Handling Self- and Cross-Modifying Code").
 *
 * Context: any, interrupts and NMIs included: they may run patched code at any
 * moment. It does not lock; calls on the same text must not overlap.
 */
struct uplock_counts uplock_apply(const int32_t *table,
                                  const int32_t *table_end,
                                  const struct uplock_text *text,
                                  enum uplock_mode mode);

#ifdef __cplusplus
}
#endif

#endif
