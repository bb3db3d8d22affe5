/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * Prints the modules of the process, a line each, without their directories.
 */
#include <stdio.h>
#include <string.h>
#include <uplock-process.h>

static inline const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static inline void list(const char *when) {
  struct uplock_module modules[8];
  size_t count = uplock_process_modules(modules, 8);
  printf("%s: %zu modules\n", when, count);
  for (size_t i = 0; i < count && i < 8; i++)
    printf("  %s: %s (%s), %zu sites, %zu changed, %zu mismatched\n",
           base_name(modules[i].path), modules[i].mode ? "UP" : "SMP",
           modules[i].reason, modules[i].counts.sites,
           modules[i].counts.changed, modules[i].counts.mismatched);
}
