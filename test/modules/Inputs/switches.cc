// SPDX-License-Identifier: GPL-3.0-or-later
//
// A program that loads each library that it is given, calls it, switches there
// and back, and each time lists the modules and says whether the libraries' code
// (library.cc) is locked.
#include "list.h"
#include <atomic>
#include <cstdlib>
#include <dlfcn.h>
#include <initializer_list>

static const char *state(const unsigned char *code) {
  for (int i = 0; i < 64; i++)
    if (code[i + 1] == 0x0f && code[i + 2] == 0xc1) // xadd, without REX
      return code[i] == 0xf0 ? "locked" : "unlocked";
    else if (code[i + 1] == 0x48 && code[i + 2] == 0x0f && code[i + 3] == 0xc1)
      return code[i] == 0xf0 ? "locked" : "unlocked";
  return "unknown";
}

static std::atomic<int> count;

int main(int argc, char **arguments) {
  setvbuf(stdout, nullptr, _IOLBF, 0);
  void *libraries[8] = {};
  auto show = [&](const char *when) {
    count++;
    list(when);
    for (int i = 1; i < argc; i++) {
      auto call = (long (*)())dlsym(libraries[i], "count_calls");
      long calls = call();
      printf("  code of library %d is %s, %ld calls\n", i,
             state((const unsigned char *)call), calls);
    }
  };
  for (int i = 1; i < argc && i < 8; i++)
    if (!(libraries[i] = dlopen(arguments[i], RTLD_NOW))) {
      puts(dlerror());
      return 1;
    }
  show("start");
  for (uplock_mode mode : {UPLOCK_SMP, UPLOCK_UP}) {
    uplock_status status = uplock_process_switch(mode);
    printf("switch to %s: %s (%s)\n", mode ? "UP" : "SMP",
           status.mode ? "UP" : "SMP", status.reason);
    show("switched");
  }
}
