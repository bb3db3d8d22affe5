/* SPDX-License-Identifier: MIT
 *
 * The first instructions of a second CPU.
 *
 * A startup IPI names a page below 1 MB; the CPU begins there in real mode, with
 * %cs at the page. cpus.cc copies the code below to that page. It does no more
 * than reach protected mode and jump into the kernel's own text, before paging
 * is on: so the page is never mapped executable.
 *
 * The code runs at another address than the one it is linked at. It reads what
 * it needs at offsets from its own beginning, by %cs.
 */
#include "segments.h"

#define CR0_PE 1

    .section .rodata.trampoline, "a"
    .code16
    .globl trampoline, trampoline_end
trampoline:
    cli
    cld
    mov %cs, %ax
    mov %ax, %ds
    lgdtl pointer - trampoline
    xor %edi, %edi
    xor %esi, %esi
    mov %cr0, %eax
    or $CR0_PE, %eax
    mov %eax, %cr0
    ljmpl $CODE32, $start_cpu

    .balign 4
pointer:
    .word 4 * 8 - 1
    .long gdt
trampoline_end:

    .section .note.GNU-stack, "", @progbits
