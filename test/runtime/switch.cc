// SPDX-License-Identifier: GPL-3.0-or-later
//
// A running program switches its mode, there and back: the text is the image
// again, byte for byte, and no page's permissions have changed.
// RUN: %cxx -O1 %s %uplock-flags -o %t
// RUN: env UPLOCK=smp taskset -c 0 %t | FileCheck %s
// RUN: %cxx -O1 -static -ffunction-sections %s %uplock-flags -o %t.static
// RUN: env UPLOCK=smp taskset -c 0 %t.static | FileCheck %s
#include <uplock-process.h>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <sstream>
#include <string>

extern "C" const char __executable_start, etext;

std::atomic<long> wide;
std::atomic<char> narrow;
thread_local std::atomic<short> local;

// The code, and the lines of the memory map that speak of it.
static std::string code() { return {&__executable_start, &etext}; }
static std::string map() {
  std::ifstream maps("/proc/self/maps");
  std::string line, found;
  while (std::getline(maps, line))
    if (line.find(" r-xp ") != line.npos || line.find("switch") != line.npos)
      found += line + "\n";
  return found;
}

static size_t differences(const std::string &a, const std::string &b) {
  size_t count = 0;
  for (size_t i = 0; i < a.size(); i++)
    count += a[i] != b[i];
  return count;
}

static void show(const char *what, const uplock_status &status) {
  printf("%s: mode %d (%s), %zu sites, %zu changed, %zu already\n", what,
         status.mode, status.reason, status.counts.sites,
         status.counts.changed, status.counts.already);
}

int main() {
  wide += 5, narrow |= 1, local -= 3;
  std::string image = code(), pages = map();
  show("start", uplock_process_status());
  show("up", uplock_process_switch(UPLOCK_UP));
  printf("bytes changed: %zu\n", differences(image, code()));
  show("up", uplock_process_switch(UPLOCK_UP));
  wide += 5, narrow |= 2, local -= 3;
  show("smp", uplock_process_switch(UPLOCK_SMP));
  printf("bytes changed: %zu, same pages: %d\n", differences(image, code()),
         pages == map());
  wide += 5, narrow |= 4, local -= 3;
  printf("%ld %d %d\n", wide.load(), narrow.load(), local.load());
}

// CHECK:      start: mode 0 (UPLOCK=smp), 0 sites
// CHECK-NEXT: up: mode 1 (uplock_process_switch), 9 sites, 9 changed, 0 already
// CHECK-NEXT: bytes changed: 9
// CHECK-NEXT: up: mode 1 (uplock_process_switch), 9 sites, 0 changed, 9 already
// CHECK-NEXT: smp: mode 0 (uplock_process_switch), 9 sites, 9 changed
// CHECK-NEXT: bytes changed: 0, same pages: 1
// CHECK-NEXT: 15 7 -9
