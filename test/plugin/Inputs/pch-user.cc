// SPDX-License-Identifier: GPL-3.0-or-later
std::atomic<int> cell;
int once() { return ++cell + twice(); }
