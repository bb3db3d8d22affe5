// SPDX-License-Identifier: GPL-3.0-or-later
//
// A shared library with two sites: NAME() counts its calls.
#include <atomic>

#ifndef NAME
#define NAME count_calls
#endif

static std::atomic<long> calls, others;

extern "C" long NAME() {
  others |= 1;
  return ++calls;
}

#ifdef INIT
extern "C" void INIT() {}
#endif
