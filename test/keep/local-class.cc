// SPDX-License-Identifier: GPL-3.0-or-later
//
// The members of a class in a kept function are kept.
// RUN: for o in 0 1 2 3 s; do \
// RUN:   %cxx -O$o -c %s %uplock -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done
#include <atomic>

std::atomic<int> n;
struct Listener {
  virtual void notify() = 0;
};
void add(Listener &);

[[uplock::keep]] void kept() {
  struct Local : Listener {
    struct Inner {
      __attribute__((noinline)) static void tick() { n += 2; }
    };
    void notify() override {
      n++;
      Inner::tick();
    }
  };
  static Local local;
  add(local);
}
// CHECK-DAG: {{^}}kept()::Local::notify(): 1 locked, 0 recorded
// CHECK-DAG: {{^}}kept()::Local::Inner::tick(): 1 locked, 0 recorded

void patched() {
  struct Local : Listener {
    void notify() override { n++; }
  };
  static Local local;
  add(local);
}
// CHECK-DAG: {{^}}patched()::Local::notify(): 1 locked, 1 recorded
