// SPDX-License-Identifier: GPL-3.0-or-later
//
// To be preloaded: deletes the file $DELETE before the program starts, and puts
// $REPLACE in its place.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

__attribute__((constructor)) static void start(void) {
  extern char *program_invocation_name;
  const char *victim = getenv("DELETE"), *other = getenv("REPLACE");
  // Not in the programs on the way there.
  if (!victim || strcmp(program_invocation_name, victim))
    return;
  unlink(victim);
  if (other && rename(other, victim))
    perror(other);
}
