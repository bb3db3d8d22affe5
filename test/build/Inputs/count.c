// SPDX-License-Identifier: GPL-3.0-or-later
//
// One site; with cover=store two.
#include <stdatomic.h>

static atomic_int count;

int main(void)
{
    atomic_fetch_add(&count, 1);
    atomic_store(&count, 0);
    return count;
}
