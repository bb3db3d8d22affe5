/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * What a random program calls between its rounds. */
#include <uplock-process.h>

void switch_mode(int round);
void switch_mode(int round) {
  uplock_process_switch(round & 1 ? UPLOCK_SMP : UPLOCK_UP);
}
