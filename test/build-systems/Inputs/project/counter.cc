// SPDX-License-Identifier: MIT
#include <atomic>

static std::atomic<int> count;

extern "C" int count_in_library() { return ++count; }
