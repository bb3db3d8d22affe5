// SPDX-License-Identifier: GPL-3.0-or-later
//
// Exchanges in coroutines, whose frames live across suspensions.
// RUN: %cxx -std=c++20 -O2 -fchecking=2 %s %uplock-flags \
// RUN:   -fplugin-arg-uplock-cover=all -o %t
// RUN: %prove --cover all %t
// RUN: env UPLOCK=up taskset -c 0 %t | FileCheck %s
// RUN: env UPLOCK=smp %t | FileCheck %s
// RUN: %cxx -std=c++20 -O0 -fchecking=2 %s %uplock-flags \
// RUN:   -fplugin-arg-uplock-cover=all -o %t.O0
// RUN: %prove --cover all %t.O0
// RUN: env UPLOCK=up taskset -c 0 %t.O0 | FileCheck %s
#include <atomic>
#include <coroutine>
#include <cstdio>

struct Task {
  struct promise_type {
    int value = 0;
    Task get_return_object() {
      return {std::coroutine_handle<promise_type>::from_promise(*this)};
    }
    std::suspend_always initial_suspend() { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    std::suspend_always yield_value(int v) {
      value = v;
      return {};
    }
    void return_void() {}
    void unhandled_exception() {}
  };
  std::coroutine_handle<promise_type> handle;
};

std::atomic<int> cell{1};
std::atomic_flag flag;

Task exchanges() {
  for (int i = 2; i < 6; i++) {
    co_yield cell.exchange(i);
    if (flag.test_and_set())
      co_yield 100 + cell.exchange(i * 10);
  }
}

int main() {
  Task task = exchanges();
  for (task.handle.resume(); !task.handle.done(); task.handle.resume())
    printf("%d ", task.handle.promise().value);
  printf("end\n");
  task.handle.destroy();
}
// CHECK: 1 2 103 30 104 40 105 end
