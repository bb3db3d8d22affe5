/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * A program with one site, and with -DPLUGIN its plugin, with another. The
 * program loads the plugin that it is given, calls it, and switches back.
 */
#include <stdio.h>
#include <dlfcn.h>
#include <uplock-process.h>

static int count;

#ifdef PLUGIN
int plugin(void) { return __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST); }
#else
int main(int argc, char **argv) {
  __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
  if (argc < 2)
    return !printf("%d\n", count);
  void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  int (*plugin)(void) = library ? (int (*)(void))dlsym(library, "plugin") : 0;
  if (!plugin)
    return !printf("%s\n", dlerror());
  int called = plugin();
  struct uplock_status status = uplock_process_switch(UPLOCK_SMP);
  printf("%d %d, %zu locked again\n", count, called, status.counts.changed);
  return status.mode;
}
#endif
