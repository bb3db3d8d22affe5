// SPDX-License-Identifier: GPL-3.0-or-later
//
// The program's and a library's file are deleted, replaced by another, by a pipe,
// or by a longer one of the same name, before a later switch: what was found
// before is not looked for again, the program's own file is found although it is
// deleted, and another file is not believed.
// RUN: rm -f %t %t.so
// RUN: %cxx -O2 %S/../modules/Inputs/library.cc -shared -fPIC %uplock-flags \
// RUN:   -o %t.so
// RUN: %cxx -O2 %S/../modules/Inputs/library.cc -shared -fPIC %uplock-flags \
// RUN:   -DNAME=another -o %t.another.so
// RUN: %cxx -O2 %s -Wl,-rpath,%T %t.so %uplock-flags -o %t
// RUN: cp %t %t.copy && cp %t.so %t.so.copy

// RUN: env UPLOCK=up taskset -c 0 %t %t %t.so delete \
// RUN:   | FileCheck %s --check-prefix=KNOWN
// RUN: rm -f %t %t.so && cp %t.copy %t && cp %t.so.copy %t.so
// RUN: env UPLOCK=smp taskset -c 0 %t %t %t.so delete \
// RUN:   | FileCheck %s --check-prefix=DELETED
// RUN: rm -f %t %t.so && cp %t.copy %t && cp %t.so.copy %t.so
// RUN: env UPLOCK=smp taskset -c 0 %t %t %t.so %t.another.so \
// RUN:   | FileCheck %s --check-prefix=OTHER
// RUN: rm -f %t %t.so && cp %t.copy %t && cp %t.so.copy %t.so
// RUN: env UPLOCK=smp taskset -c 0 %t %t %t.so pipe \
// RUN:   | FileCheck %s --check-prefix=OTHER
// One of the same headers, segments and build ID, with another table.
// RUN: rm -f %t %t.so && cp %t.copy %t && cp %t.so.copy %t.so
// RUN: rm -f %t.shifted.so && cp %t.so %t.shifted.so
// RUN: python3 %S/Inputs/edit-elf.py %t.shifted.so sh_addr=old+4 sh_size=old-4
// RUN: env UPLOCK=smp taskset -c 0 %t %t %t.so %t.shifted.so \
// RUN:   | FileCheck %s --check-prefix=OTHER
// RUN: rm -f %t %t.so
#include "../modules/Inputs/list.h"
#include <atomic>
#include <cstdio>
#include <initializer_list>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

extern "C" long count_calls();
static std::atomic<int> count;

int main(int, char **arguments) {
  std::string what = arguments[3];
  for (std::string path : {arguments[1], arguments[2]}) {
    unlink(path.c_str());
    if (what == "pipe")
      mkfifo(path.c_str(), 0600);
    else if (what != "delete")
      link(what.c_str(), path.c_str());
  }
  alarm(10);
  for (uplock_mode mode : {UPLOCK_SMP, UPLOCK_UP, UPLOCK_SMP}) {
    uplock_process_switch(mode);
    count++, count_calls();
    list(mode ? "up" : "smp");
  }
}

// KNOWN:      smp: 2 modules
// KNOWN-NEXT:   file-replaced.cc.tmp: SMP (uplock_process_switch), 1 sites, 1 changed
// KNOWN-NEXT:   file-replaced.cc.tmp.so: SMP (uplock_process_switch), 2 sites, 2 changed
// KNOWN-NEXT: up: 2 modules
// KNOWN-NEXT:   file-replaced.cc.tmp: UP (uplock_process_switch), 1 sites, 1 changed
// KNOWN-NEXT:   file-replaced.cc.tmp.so: UP (uplock_process_switch), 2 sites, 2 changed
// KNOWN-NEXT: smp: 2 modules

// DELETED:      up: 2 modules
// DELETED-NEXT:   file-replaced.cc.tmp: UP (uplock_process_switch), 1 sites, 1 changed
// DELETED-NEXT:   file-replaced.cc.tmp.so: SMP (the file cannot be opened), 0 sites
// DELETED-NEXT: smp: 2 modules
// DELETED-NEXT:   file-replaced.cc.tmp: SMP (uplock_process_switch), 1 sites, 1 changed
// DELETED-NEXT:   file-replaced.cc.tmp.so: SMP (the file cannot be opened), 0 sites

// OTHER:      up: 2 modules
// OTHER-NEXT:   file-replaced.cc.tmp: UP (uplock_process_switch), 1 sites, 1 changed
// OTHER-NEXT:   file-replaced.cc.tmp.so: SMP (the file is another by now), 0 sites
