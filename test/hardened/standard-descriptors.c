// SPDX-License-Identifier: GPL-3.0-or-later
//
// The log goes to the standard error that the program was started with, and
// nowhere else: not into a file of the program's that has got the number 2, nor
// when the descriptors were closed at the start, whoever opens what then.
// RUN: %gcc %S/Inputs/restrict.c -o %t.restrict
// RUN: %cxx -O2 %S/../modules/Inputs/library.cc -shared -fPIC %uplock-flags \
// RUN:   -o %t.so
// RUN: %gcc -O2 %s %uplock-flags -ldl -o %t

// RUN: env UPLOCK_LOG=1 UPLOCK=up taskset -c 0 %t %t.file %t.so \
// RUN:   2>%t.log >%t.out
// RUN: FileCheck %s --check-prefix=FIRST --implicit-check-not=uplock: < %t.log
// RUN: FileCheck %s < %t.out
// RUN: env UPLOCK_LOG=1 UPLOCK=up taskset -c 0 %t.restrict close=2 \
// RUN:   -- %t %t.file %t.so | FileCheck %s
// RUN: env UPLOCK_LOG=1 UPLOCK=bad %t.restrict close=0 close=2 \
// RUN:   -- %t %t.file %t.so | FileCheck %s
// RUN: env UPLOCK_LOG=1 UPLOCK=up %t.restrict close=0 close=1 close=2 \
// RUN:   -- %t %t.file %t.so
// RUN: FileCheck %s --check-prefix=FILE < %t.file

// Without uplock in the program the library is the first to look, and sees by
// O_CLOEXEC that the descriptor was not inherited.
// RUN: %gcc -O2 %s -DCLOEXEC -ldl -o %t.without
// RUN: env UPLOCK_LOG=1 UPLOCK=up taskset -c 0 %t.without %t.file %t.so \
// RUN:   | FileCheck %s
#include <dlfcn.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#ifndef CLOEXEC
#define CLOEXEC 0
#else
#undef CLOEXEC
#define CLOEXEC O_CLOEXEC
#endif

int count;

int main(int argc, char **argv) {
  (void)argc;
  __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
  close(2);
  int fd;
  do
    fd = open(argv[1], O_RDWR | O_CREAT | O_TRUNC | CLOEXEC, 0600);
  while (fd < 2 && fd >= 0);
  if (fd != 2 || write(2, "data\n", 5) != 5)
    return 1;
  void *library = dlopen(argv[2], RTLD_NOW);
  long (*call)(void) = library ? (long (*)(void))dlsym(library, "count_calls") : 0;
  if (!call || call() != 1)
    return 1;
  char text[1000] = "";
  if (pread(2, text, sizeof text - 1, 0) < 0)
    return 1;
  printf("file: %s", text);
  return strcmp(text, "data\n");
}

// FIRST:      uplock: {{.*}}: UP (UPLOCK=up), 1 site, 1 changed
// CHECK:      file: data
// CHECK-NOT:  {{.}}
// FILE:       data
// FILE-NOT:   {{.}}
