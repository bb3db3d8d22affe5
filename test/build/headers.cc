// SPDX-License-Identifier: GPL-3.0-or-later
//
// The flags bring the three headers and no other: a program's own names are safe.
// RUN: %cxx -std=c++20 -fsyntax-only %s %uplock-flags
#include <uplock-asm.h>
#include <uplock-process.h>
#include <atomic>

#if __has_include(<text.h>) || __has_include(<module.h>)
#error "the runtime's own headers are visible"
#endif

uplock_status (*status)() = uplock_process_status;
