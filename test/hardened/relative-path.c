// SPDX-License-Identifier: GPL-3.0-or-later
//
// A library that was loaded by a relative path is looked for at that path, from
// where the program is then. Where there is none, or another, it stays locked; what
// was found once can be locked again from everywhere.
// RUN: %cxx -O2 %S/../modules/Inputs/library.cc -shared -fPIC %uplock-flags \
// RUN:   -o %t.so
// RUN: %gcc -O2 %s %uplock-flags -ldl -o %t
// RUN: rm -rf %t.d && mkdir -p %t.d/other && cp %t.so %t.d/library.so \
// RUN:   && cp %t %t.d/other/library.so
// RUN: cd %t.d && env UPLOCK=smp taskset -c 0 %t | FileCheck %s
#include "../modules/Inputs/list.h"
#include <dlfcn.h>
#include <unistd.h>

static void show(const char *directory, enum uplock_mode mode) {
  if (chdir(directory))
    puts("no such directory");
  uplock_process_switch(mode);
  list(directory);
}

int main(void) {
  if (!dlopen("./library.so", RTLD_NOW))
    return !puts(dlerror());
  show("..", UPLOCK_UP);
  show("relative-path.c.tmp.d/other", UPLOCK_UP);
  show("..", UPLOCK_UP);
  show("/", UPLOCK_SMP);
}

// CHECK:      ..: 2 modules
// CHECK:        library.so: SMP (the file cannot be opened), 0 sites
// CHECK:      other: 2 modules
// CHECK:        library.so: SMP (the file is another by now), 0 sites
// CHECK:      ..: 2 modules
// CHECK:        library.so: UP (uplock_process_switch), 2 sites, 2 changed
// CHECK:      /: 2 modules
// CHECK:        library.so: SMP (uplock_process_switch), 2 sites, 2 changed
