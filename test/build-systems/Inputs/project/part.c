// SPDX-License-Identifier: MIT
#include <stdatomic.h>

static atomic_int count;

int count_in_part(void) { return atomic_fetch_add(&count, 1) + 1; }
