/* SPDX-License-Identifier: MIT
 *
 * Every interrupt and exception: save all registers on the stack of the thread
 * that was interrupted, ask C++ whose stack to continue with, and continue. A
 * switch of threads is no more than another answer.
 *
 * The thread that was left may be taken up by another CPU only when this one has
 * left its stack: threads_switched, behind the change of stacks, allows it.
 */
    .text
    .globl interrupt_stubs
    .balign 16
interrupt_stubs:
    .set vector, 0
    .rept 256
    .balign 16
    /* These push an error code themselves (Intel SDM vol. 3, 6.3.1; AMD APM vol. 2, 8.2). */
    .if !(vector == 8 || vector >= 10 && vector <= 14 || vector == 17 || vector == 21 || vector == 29 || vector == 30)
    push $0
    .endif
    push $vector
    jmp common
    .set vector, vector + 1
    .endr

common:
    cld
#ifdef __x86_64__
    .irp register, rax, rbx, rcx, rdx, rsi, rdi, rbp, r8, r9, r10, r11, r12, r13, r14, r15
    push %\register
    .endr
    mov %rsp, %rdi
    call interrupt
    mov %rax, %rsp
    call threads_switched
    .irp register, r15, r14, r13, r12, r11, r10, r9, r8, rbp, rdi, rsi, rdx, rcx, rbx, rax
    pop %\register
    .endr
    add $16, %rsp
    iretq
#else
    pusha
    mov %esp, %eax
    push %eax
    call interrupt
    mov %eax, %esp
    call threads_switched
    popa
    add $8, %esp
    iret
#endif

    .section .note.GNU-stack, "", @progbits
