// SPDX-License-Identifier: GPL-3.0-or-later
//
// What is recorded: each locked instruction that comes from a read-modify-write
// atomic, and neither fences nor exchanges nor the programmer's own assembly.
// The dump names every one, with the reason.
// RUN: %cxx -O2 -S %uplock -fplugin-arg-uplock-dump=%t.dump %s -o %t.s
// RUN: sed -n 's/^;; uplock: .*sites.cc/sites.cc/p' %t.dump | FileCheck %s \
// RUN:   --implicit-check-not=sites.cc
// RUN: FileCheck %s --check-prefix=ASM < %t.s

using uint = unsigned;

void add(int *p) { __atomic_fetch_add(p, 5, 5); }
// CHECK: sites.cc:[[#@LINE-1]]: add: lock addl (insn {{[0-9]+}}): rmw, recorded
// ASM-LABEL: _Z3addPi:
// ASM:      .L[[#ADD:]]:
// ASM-NEXT: lock addl $5, (%rdi)

int swap(int *p, int v) { return __atomic_exchange_n(p, v, 5); }
// CHECK: sites.cc:[[#@LINE-1]]: swap: xchgl {{.*}}: exchange or store, not covered

void store(int *p, int v) { __atomic_store_n(p, v, 5); }
// CHECK: sites.cc:[[#@LINE-1]]: store: xchgl {{.*}}: exchange or store, not covered

void fence() { __atomic_thread_fence(5); }
// CHECK: sites.cc:[[#@LINE-1]]: fence: {{lock or|mfence}} {{.*}}: fence, not covered

void bit(uint *p) { __atomic_fetch_or(p, 1u << 7, 5); }
// CHECK: sites.cc:[[#@LINE-1]]: bit: lock orl {{.*}}: rmw, recorded

void assembly(int *p) { asm volatile("lock; incl %0" : "+m"(*p)); }
// CHECK: sites.cc:[[#@LINE-1]]: assembly: lock {{.*}}: asm, not covered

void relaxed(int *p) { __atomic_store_n(p, 1, 0); }

// The entries of .text, in the order of their addresses.
// ASM:      .pushsection .smp_locks,"a?",@progbits,unique,4000000001
// ASM-NEXT: .balign 4
// ASM-NEXT: .Luplock1:
// ASM-NEXT: .long .L[[#ADD]]-.
// ASM-NEXT: .popsection
// ASM-NEXT: .reloc .L[[#ADD]], R_X86_64_NONE, .Luplock1
// ASM:      .pushsection .smp_locks,"a?",@progbits,unique,4000000001
// ASM-NEXT: .long
// ASM-NOT:  .reloc
