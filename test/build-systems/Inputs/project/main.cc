// SPDX-License-Identifier: MIT
//
// One site here, one in part.c (of the program), one in counter.cc (of a shared
// library).
#include <atomic>

extern "C" int count_in_part();
extern "C" int count_in_library();

static std::atomic<int> count;

int main() { return ++count + count_in_part() + count_in_library() == 3 ? 0 : 1; }
