// A member of std::atomic may be inlined into patched code; a kept function
// that it calls is not taken along.
// RUN: for o in 1 2 3; do \
// RUN:   %cxx -O$o -c %s %uplock -fplugin-arg-uplock-default=keep \
// RUN:     -o %t.$o.o && \
// RUN:   %sites %t.$o.o | FileCheck %s || exit; done
#include <atomic>

inline int kept(int *p) { return __atomic_fetch_add(p, 1, 5); }
// CHECK-DAG: {{^}}kept(int*): 1 locked, 0 recorded

struct Mine {};
template <> struct std::atomic<Mine> {
  int value;
  int increment() {
    __atomic_fetch_sub(&value, 1, 5);
    return kept(&value);
  }
};

[[uplock::patch]] int patched(std::atomic<Mine> &number) {
  return number.increment();
}
// CHECK-DAG: {{^}}patched(std::atomic<Mine>&): 1 locked, 1 recorded
