// SPDX-License-Identifier: GPL-3.0-or-later
//
// Switching leaves the permissions of every page of program and library as they
// were. Through /proc/self/mem no mapping is split either; by mprotect the kernel
// may leave one mapping as two, of the same permissions.
// RUN: %gcc %S/Inputs/restrict.c -o %t.restrict
// RUN: %cxx -O2 %S/../modules/Inputs/library.cc -shared -fPIC %uplock-flags \
// RUN:   -o %t.so
// RUN: %cxx -O2 %s %t.so %uplock-flags -o %t
// RUN: env UPLOCK=smp %t | FileCheck %s --check-prefixes=CHECK,WHOLE
// RUN: env UPLOCK=smp %t.restrict no-pwrite -- %t | FileCheck %s
// The same with text and constants in one segment.
// RUN: %cxx -O2 %s %t.so %uplock-flags -Wl,-z,noseparate-code -o %t.one
// RUN: env UPLOCK=smp %t.one | FileCheck %s --check-prefixes=CHECK,WHOLE
// RUN: env UPLOCK=smp %t.restrict no-pwrite -- %t.one | FileCheck %s
#include <uplock-process.h>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <initializer_list>
#include <map>
#include <string>

extern "C" long count_calls();

// What is mapped from files: the lines, and each page's permissions.
struct Map {
  std::string lines;
  std::map<unsigned long, std::string> pages;

  Map() {
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
      if (line.find('/') == line.npos)
        continue;
      lines += line + "\n";
      char *rest;
      unsigned long begin = strtoul(line.c_str(), &rest, 16);
      unsigned long end = strtoul(rest + 1, &rest, 16);
      for (; begin < end; begin += 4096)
        pages[begin] = std::string(rest, 6);
    }
  }
};

static std::atomic<long> count;

int main() {
  { Map warm_up; }
  Map before;
  bool same_lines = true, same_pages = true;
  size_t changed = 0;
  for (uplock_mode mode : {UPLOCK_UP, UPLOCK_SMP, UPLOCK_UP}) {
    changed += uplock_process_switch(mode).counts.changed;
    count++, count_calls();
    Map after;
    same_lines &= before.lines == after.lines;
    same_pages &= before.pages == after.pages;
  }
  printf("changed: %zu, same pages: %d\n", changed, same_pages);
  printf("same mappings: %d\n", same_lines);
}

// CHECK:      changed: 9, same pages: 1
// WHOLE-NEXT: same mappings: 1
