/* SPDX-License-Identifier: MIT
 *
 * uplock: LOCK prefixes in assembly that the compiler plugin does not see, with
 * their entries in the table. That is assembly in .S files and at file scope;
 * an asm statement in a function can use it too, and then needs no plugin.
 *
 * In a .S file, in front of an instruction:
 *
 *     #include <uplock-asm.h>
 *     LOCK_PREFIX incl (%rdi)
 *
 * In C and C++, in front of one in the text of an asm statement with operands
 * (there may be none: asm("..." :::)):
 *
 *     asm volatile(LOCK_PREFIX "incl %0" : "+m"(count));
 *
 * and at file scope, where asm has no operands and %= means nothing:
 *
 *     asm("f: " UPLOCK_FILE_LOCK "incl (%rdi); ret");
 *
 * LOCK_PREFIX is UPLOCK_LOCK by another name, left alone if it is defined.
 *
 * Each site has a table section of its own, which lives and dies with its code:
 * it joins the code's COMDAT group ("?"), and the code refers to it through a
 * relocation that changes no byte, so that --gc-sections keeps both or drops
 * both. A section for several sites would be smaller in the object file (in
 * the linked file there is no difference), but there is no way to name the one
 * that belongs to the current text section, and one for all would keep alive
 * every function that it speaks of. `unique` keeps sections of one name apart;
 * the plugin's own numbers are small ones. %= is a number that is different in
 * each copy of an asm statement: the copies may be in different sections.
 *
 * GNU as 2.35 or newer, or LLVM's assembler. Local labels 3771 and 3772.
 */
#ifndef UPLOCK_ASM_H
#define UPLOCK_ASM_H

#if defined __x86_64__
#define UPLOCK_NONE_RELOCATION R_X86_64_NONE
#elif defined __i386__
#define UPLOCK_NONE_RELOCATION R_386_NONE
#else
#error "uplock-asm.h is for x86"
#endif

#define UPLOCK_PASTE(a, b) UPLOCK_PASTE_(a, b)
#define UPLOCK_PASTE_(a, b) a##b
#define UPLOCK_STRING(...) UPLOCK_STRING_(__VA_ARGS__)
#define UPLOCK_STRING_(...) #__VA_ARGS__

#ifdef __ASSEMBLER__

/* clang-format off */
#define UPLOCK_SITE(id)                                                        \
  3771:                                                                        \
  .pushsection .smp_locks, "a?", @progbits, unique, id;                        \
  .balign 4;                                                                   \
  3772: .long 3771b - .;                                                       \
  .popsection;                                                                 \
  .reloc 3771b, UPLOCK_NONE_RELOCATION, 3772b;                                 \
  lock;
/* clang-format on */
#define UPLOCK_LOCK UPLOCK_SITE(UPLOCK_PASTE(3, __COUNTER__))

#else

#define UPLOCK_SITE(id)                                                        \
  "3771:\n\t"                                                                  \
  ".pushsection .smp_locks, \"a?\", @progbits, unique, " id "\n\t"             \
  ".balign 4\n"                                                                \
  "3772:\t.long 3771b - .\n\t"                                                 \
  ".popsection\n\t"                                                            \
  ".reloc 3771b, " UPLOCK_STRING(UPLOCK_NONE_RELOCATION) ", 3772b\n\t"         \
                                                         "lock; "
#define UPLOCK_LOCK UPLOCK_SITE("2%=")
#define UPLOCK_FILE_LOCK UPLOCK_SITE("3" UPLOCK_STRING(__COUNTER__))

#endif

#ifndef LOCK_PREFIX
#define LOCK_PREFIX UPLOCK_LOCK
#endif

#endif
