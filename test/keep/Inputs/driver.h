// SPDX-License-Identifier: GPL-3.0-or-later
static inline int from_header(int *p) { return __atomic_fetch_add(p, 1, 5); }
int defined_below(int *p);
