// SPDX-License-Identifier: GPL-3.0-or-later
//
// Truncates the file that `uplock` has just mapped, once WHEN (the environment's
// TRUNCATE) is called: one error, 2, nothing written, and no temporary file left.
//
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && mkdir out
// RUN: %gcc -shared -fPIC -O2 %s -o truncate.so
// RUN: %cxx %uplock -static -nostdlib -Wl,-e,main %S/Inputs/two-functions.cc -o whole
//
// To nothing, to a page, and within the last page: what is behind is zero there.
// RUN: set +x; for command in check list "patch --up" "patch --up -o out" "scan -o out"; do \
// RUN:   for size in 0 4096 $(($(stat -c %%s whole) - 1)); do \
// RUN:     cp whole victim && env LD_PRELOAD=$PWD/truncate.so TRUNCATE=mmap \
// RUN:       TRUNCATE_TO=$size uplock $command victim > /dev/null; echo status $?; \
// RUN:   done; \
// RUN: done > log 2>&1
// RUN: FileCheck %s < log && rmdir out && mkdir out
// CHECK-COUNT-15: uplock: victim: changed while it was read{{.*[[:space:]]}}status 2
// CHECK-NOT: {{.}}
//
// While it is written: the kernel reads it.
// RUN: cp whole victim
// RUN: sh -c 'LD_PRELOAD=$PWD/truncate.so TRUNCATE=mkostemp TRUNCATE_TO=0 \
// RUN:   uplock patch --up victim; echo status $?' 2>&1 | FileCheck %s --check-prefix=WRITE
// WRITE: uplock: victim: changed while it was read (nothing written)
// WRITE-NEXT: status 2
//
// What was found before it is not lost.
// RUN: cp whole victim
// RUN: not env LD_PRELOAD=$PWD/truncate.so TRUNCATE=mmap TRUNCATE_TO=0 \
// RUN:   TRUNCATE_NUMBER=2 uplock check whole victim | FileCheck %s --check-prefix=FIRST
// FIRST: whole: {{.*}}: exact
// RUN: ls -A | FileCheck %s --check-prefix=LEFT --implicit-check-not=.uplock-
// LEFT: victim

#define _GNU_SOURCE
#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static char path[PATH_MAX];

static void truncate_at(const char *when) {
  const char *wanted = getenv("TRUNCATE"), *to = getenv("TRUNCATE_TO");
  if (!strcmp(wanted, when) && truncate(path, atol(to)))
    abort();
}

void *mmap(void *address, size_t size, int protection, int flags, int fd,
           off_t offset) {
  static int files;
  void *(*real)(void *, size_t, int, int, int, off_t) =
      dlsym(RTLD_NEXT, "mmap");
  void *result = real(address, size, protection, flags, fd, offset);
  const char *number = getenv("TRUNCATE_NUMBER");
  if (fd < 0 || ++files != (number ? atoi(number) : 1))
    return result;
  char link[32];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  if (readlink(link, path, sizeof path - 1) < 0)
    abort();
  truncate_at("mmap");
  return result;
}

int mkostemp(char *template, int flags) {
  int (*real)(char *, int) = dlsym(RTLD_NEXT, "mkostemp");
  int result = real(template, flags);
  truncate_at("mkostemp");
  return result;
}
