// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program without a path: from a memfd, by fexecve; and a library from one.
// RUN: %cxx -O2 %S/../modules/Inputs/library.cc -shared -fPIC %uplock-flags \
// RUN:   -o %t.so
// RUN: %cxx -O2 %S/../modules/Inputs/switches.cc %uplock-flags -ldl -o %t.program
// RUN: %gcc -O2 %s -o %t
// RUN: env UPLOCK_LOG=1 UPLOCK=up taskset -c 0 %t %t.program %t.so 2>&1 \
// RUN:   | FileCheck %s
#define _GNU_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

static int memory_file(const char *path) {
  int from = open(path, O_RDONLY), to = memfd_create("", 0);
  struct stat status;
  if (fstat(from, &status) ||
      sendfile(to, from, NULL, status.st_size) != status.st_size)
    perror(path);
  return to;
}

int main(int argc, char **argv) {
  char path[32];
  (void)argc;
  int program = memory_file(argv[1]);
  snprintf(path, sizeof path, "/proc/self/fd/%d", memory_file(argv[2]));
  char *arguments[] = {argv[1], path, NULL};
  fexecve(program, arguments, environ);
  perror(argv[1]);
}

// CHECK: uplock: /dev/fd/{{.*}}: UP (UPLOCK=up), 3 sites, 3 changed
// CHECK: uplock: /proc/self/fd/{{.*}}: UP (UPLOCK=up), 2 sites, 2 changed
// CHECK: code of library 1 is unlocked, 1 calls
// CHECK: switch to SMP: SMP
// CHECK: code of library 1 is locked, 2 calls
// CHECK: code of library 1 is unlocked, 3 calls
