/* SPDX-License-Identifier: MIT
 *
 * The segment selectors of the table in boot.S, for C++ and assembly.
 */
#ifndef KERNEL_SEGMENTS_H
#define KERNEL_SEGMENTS_H

#define CODE32 0x08
#define DATA 0x10
#define CODE64 0x18

/* What the kernel runs in. */
#ifdef __x86_64__
#define CODE CODE64
#else
#define CODE CODE32
#endif

#endif
