// SPDX-License-Identifier: GPL-3.0-or-later
//
// What a kept coroutine does before and after it is suspended is kept.
// RUN: for o in 0 1 2 3 s; do \
// RUN:   %cxx -std=c++20 -O$o -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s \
// RUN:     --implicit-check-not='kept{{.*}} {{[1-9]}} recorded' || exit; done
#include <atomic>
#include <coroutine>

std::atomic<int> n;

struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};

[[uplock::keep]] Task kept(int k) {
  n++;
  co_await std::suspend_always{};
  n.fetch_add(k);
}
// CHECK-DAG: {{^}}kept({{.*}} [clone .actor]: 2 locked, 0 recorded

Task patched(int k) {
  n++;
  co_await std::suspend_always{};
  n.fetch_add(k);
}
// CHECK-DAG: {{^}}patched({{.*}} [clone .actor]: 2 locked, 2 recorded
