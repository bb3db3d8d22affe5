// SPDX-License-Identifier: GPL-3.0-or-later
//
// Text in a huge page, the way that programs put it there: copied into an
// anonymous one that takes the place of the file's. It is patched, unlocked and
// locked, and the page stays huge. With MADV_COLLAPSE the kernel makes one of the
// file's text; that is only looked at where the file's system can have them.
// REQUIRES: huge-pages
// RUN: %cxx -O2 -no-pie -fno-pie %s %uplock-flags \
// RUN:   -Wl,-z,max-page-size=0x200000 -o %t
// RUN: env UPLOCK=smp %t anonymous | FileCheck %s --check-prefixes=HUGE,CHECK
// RUN: d=$(mktemp -d -p /dev/shm) && cp %t $d/program \
// RUN:   && { env UPLOCK=smp $d/program collapse > %t.collapse; rm -r $d; }
// RUN: FileCheck %s < %t.collapse
#include <uplock-process.h>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <initializer_list>
#include <string>
#include <sys/mman.h>

#ifndef MADV_COLLAPSE
#define MADV_COLLAPSE 25
#endif

constexpr size_t huge = 2 << 20;
static int count;

// A site in a huge page of its own.
__attribute__((noinline, aligned(huge))) static void site() {
  __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
  asm volatile("ret\n .skip 0x200000, 0xcc");
}

static void *text() { return reinterpret_cast<void *>(site); }

static bool has_huge_page() {
  std::ifstream maps("/proc/self/smaps");
  auto place = reinterpret_cast<unsigned long>(text());
  bool is_here = false;
  for (std::string line; std::getline(maps, line);) {
    unsigned long begin, end, size;
    char name[32];
    if (sscanf(line.c_str(), "%lx-%lx ", &begin, &end) == 2)
      is_here = begin <= place && place < end;
    else if (is_here && sscanf(line.c_str(), "%31[A-Za-z]: %lu", name, &size) == 2)
      if (size && (!strcmp(name, "AnonHugePages") ||
                   !strcmp(name, "ShmemPmdMapped") ||
                   !strcmp(name, "FilePmdMapped")))
        return true;
  }
  return false;
}

static bool move_into_huge_page() {
  auto memory = static_cast<char *>(mmap(nullptr, 2 * huge, PROT_READ | PROT_WRITE,
                                         MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
  memory += -reinterpret_cast<unsigned long>(memory) % huge;
  madvise(memory, huge, MADV_HUGEPAGE);
  memcpy(memory, text(), huge);
  madvise(memory, huge, MADV_COLLAPSE);
  return !mprotect(memory, huge, PROT_READ | PROT_EXEC) &&
         mremap(memory, huge, huge, MREMAP_MAYMOVE | MREMAP_FIXED, text()) ==
             text();
}

int main(int, char **arguments) {
  bool is_anonymous = !strcmp(arguments[1], "anonymous");
  if (is_anonymous ? !move_into_huge_page() : false)
    return 1;
  if (!is_anonymous && madvise(text(), huge, MADV_COLLAPSE))
    perror("MADV_COLLAPSE");
  fprintf(stderr, "huge page: %d\n", has_huge_page());
  for (uplock_mode mode : {UPLOCK_UP, UPLOCK_SMP, UPLOCK_UP, UPLOCK_SMP}) {
    site();
    uplock_status status = uplock_process_switch(mode);
    printf("%s (%s), %zu changed, %zu refused\n", status.mode ? "UP" : "SMP",
           status.reason, status.counts.changed, status.counts.refused);
  }
  if (is_anonymous)
    printf("huge page: %d\n", has_huge_page());
  printf("count: %d\n", count);
}

// CHECK:      UP (uplock_process_switch), 1 changed, 0 refused
// CHECK-NEXT: SMP (uplock_process_switch), 1 changed, 0 refused
// CHECK-NEXT: UP (uplock_process_switch), 1 changed, 0 refused
// CHECK-NEXT: SMP (uplock_process_switch), 1 changed, 0 refused
// HUGE-NEXT:  huge page: 1
// CHECK-NEXT: count: 4
