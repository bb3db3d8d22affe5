/* SPDX-License-Identifier: MIT
 *
 * From a loader, or from a CPU's reset, to C++.
 *
 * Two loaders are served. `qemu -kernel` and every other PVH loader look for an
 * ELF note that names a 32-bit entry point, whatever the class of the file; a
 * multiboot1 header would be the other way in, but QEMU takes that with 32-bit
 * files only. GRUB looks for a multiboot2 header. Both enter in 32-bit
 * protected mode without paging and leave %ebx pointing at what they have to
 * say; boot-info.cc tells them apart.
 *
 * A second CPU comes in from trampoline.S at start_cpu and takes the same way.
 * What differs stands in three variables: the page tables, the stack, and the
 * function to call.
 *
 * The same file makes the 32-bit kernel: with PAE, so that data can be mapped
 * non-executable there as well, and page table entries are alike.
 */
#include "segments.h"

#ifdef __x86_64__
#define WORD .quad
#define PADDING
#else
#define WORD .long
#define PADDING .long 0
#endif

#define CR4_PAE 0x20
#define MSR_EFER 0xc0000080
#define EFER_LME 0x100
#define EFER_NXE 0x800
#define CR0_PG_WP_PE 0x80010001
#define CR0_CD_NW 0x60000000

#define PAGE_PRESENT 1
#define PAGE_WRITABLE 2
#define PAGE_LARGE 0x80

    .section .note.pvh, "a", @note
    .balign 4
    .long 4, 8, 18                  /* sizes of name and value, the type: */
    .asciz "Xen"                    /* XEN_ELFNOTE_PHYS32_ENTRY */
    .long start, 0                  /* QEMU reads 8 bytes */

    .section .multiboot2, "a"
    .balign 8
multiboot2:
    .long 0xe85250d6, 0, multiboot2_end - multiboot2
    .long -(0xe85250d6 + multiboot2_end - multiboot2)
    .long 0, 8                      /* the tag that ends the tags */
multiboot2_end:

    .section .text.boot, "ax"
    .code32
    .globl start, start_cpu
start:
    cli
    cld
    mov %eax, %edi                  /* who calls */
    mov %ebx, %esi                  /* and what it has to say */
    lgdt gdt_pointer
    ljmp $CODE32, $start_cpu

start_cpu:
    mov $DATA, %ax
    mov %ax, %ds
    mov %ax, %es
    mov %ax, %ss
    mov %cr4, %eax
    or $CR4_PAE, %eax
    mov %eax, %cr4
    mov start_page_tables, %eax
    mov %eax, %cr3
    mov $MSR_EFER, %ecx
    rdmsr
#ifdef __x86_64__
    or $(EFER_LME | EFER_NXE), %eax
#else
    or $EFER_NXE, %eax
#endif
    wrmsr
    mov %cr0, %eax
    and $~CR0_CD_NW, %eax           /* a CPU comes up with its caches off */
    or $CR0_PG_WP_PE, %eax
    mov %eax, %cr0
    ljmp $CODE, $1f

#ifdef __x86_64__
    .code64
1:  mov start_stack, %rsp
    xor %ebp, %ebp
    call *start_entry               /* (%edi, %esi) */
#else
1:  mov start_stack, %esp
    xor %ebp, %ebp
    sub $8, %esp
    push %esi
    push %edi
    call *start_entry
#endif
2:  cli
    hlt
    jmp 2b

    .data
    .balign 8
    .globl start_page_tables, start_stack, start_entry
start_page_tables:
    WORD boot_page_tables
start_stack:
    WORD boot_stack_end
start_entry:
    WORD kernel_main

    /* Flat segments: base 0, limit 4 GB. */
    .globl gdt
    .balign 8
gdt:
    .quad 0
    .quad 0x00cf9b000000ffff        /* CODE32 */
    .quad 0x00cf93000000ffff        /* DATA */
    .quad 0x00af9b000000ffff        /* CODE64 */
gdt_end:
gdt_pointer:
    .word gdt_end - gdt - 1
    WORD gdt

    /* 4 GB as they are, until paging.cc has built its own: ACPI's tables lie at
       the end of the memory, and that may be anywhere below. */
    .balign 4096
boot_page_tables:
#ifdef __x86_64__
    .quad boot_directories + PAGE_PRESENT + PAGE_WRITABLE
    .balign 4096
boot_directories:
#define UPPER (PAGE_PRESENT + PAGE_WRITABLE)
#else
#define UPPER PAGE_PRESENT              /* other bits are reserved there */
#endif
    .set directory, boot_directory
    .rept 4
    .long directory + UPPER, 0
    .set directory, directory + 4096
    .endr
    .balign 4096
boot_directory:
    .set address, 0
    .rept 4 * 512
    .long address + PAGE_PRESENT + PAGE_WRITABLE + PAGE_LARGE, 0
    .set address, address + 0x200000
    .endr

    .bss
    .balign 16
    .skip 16384
boot_stack_end:

    .section .note.GNU-stack, "", @progbits
