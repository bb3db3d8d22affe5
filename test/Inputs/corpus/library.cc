// SPDX-License-Identifier: GPL-3.0-or-later
//
// The atomics of libstdc++: std::atomic in its specialisations, std::atomic_ref
// where there is one (C++20), std::shared_ptr, and guard variables of local
// statics, inside templates and lambdas. At -O0 each member is a COMDAT
// function of its own.

#include "corpus.h"

#include <atomic>
#include <memory>

namespace {

template <typename T> NOINLINE T integral(std::atomic<T> &a, T v) {
  a.store(1);
  a += v;
  a -= 1;
  a++;
  --a;
  a |= 6;
  a &= T(~1);
  a ^= 4;
  T old = a.exchange(T(a + 1), std::memory_order_acq_rel);
  while (!a.compare_exchange_weak(old, T(old * 2)))
    ;
  return a.fetch_sub(1, std::memory_order_relaxed);
}

struct Pair {
  int a, b;
};

NOINLINE bool structure(std::atomic<Pair> &p) {
  Pair old = p.load();
  return p.compare_exchange_strong(old, {old.b, old.a}) && old.a == 1;
}

NOINLINE int *pointer(std::atomic<int *> &p) {
  p++;
  p += 2;
  return p.fetch_sub(1);
}

NOINLINE double floating(std::atomic<double> &d) {
#if __cpp_lib_atomic_float
  d += 1.5;
  d.fetch_sub(0.25);
#else
  double old = d.load();
  while (!d.compare_exchange_weak(old, old + 1.25))
    ;
#endif
  return d;
}

NOINLINE int referenced(int &x, unsigned short &y) {
#if __cpp_lib_atomic_ref
  std::atomic_ref<int> r(x);
  std::atomic_ref<unsigned short> s(y);
  r += 5;
  s |= 0x300;
  int old = r;
  r.compare_exchange_strong(old, old + 1);
  return r++;
#else
  x += 7;
  y |= 0x300;
  return x - 1;
#endif
}

struct Node : std::enable_shared_from_this<Node> {
  static std::atomic<int> alive;
  std::shared_ptr<Node> next;
  std::weak_ptr<Node> previous;
  Node() { alive++; }
  ~Node() { alive--; }
};
std::atomic<int> Node::alive;

NOINLINE long chain() {
  auto head = std::make_shared<Node>();
  head->next = std::shared_ptr<Node>(new Node);
  head->next->previous = head;
  auto copy = head, other = head->next->previous.lock();
  auto self = other->shared_from_this();
  std::weak_ptr<Node> weak = self;
  copy.reset();
  return head.use_count() * 10 + !weak.expired();
}

int made;
struct Made {
  int number = ++made;
  ~Made() { std::atomic_thread_fence(std::memory_order_seq_cst); }
};

template <int N> NOINLINE int guarded() {
  static Made local;
  return local.number;
}

NOINLINE Made &single() {
  static Made local;
  return local;
}

NOINLINE bool spins() {
  static std::atomic_flag flag = ATOMIC_FLAG_INIT;
  while (flag.test_and_set(std::memory_order_acquire))
    ;
  std::atomic_thread_fence(std::memory_order_seq_cst);
  flag.clear(std::memory_order_release);
  return !flag.test_and_set();
}

template <typename F> NOINLINE void apply(F f) { f(); }

std::atomic<unsigned char> u8;
std::atomic<short> i16;
std::atomic<int> i32;
std::atomic<long long> i64;
thread_local std::atomic<int> own{3};

} // namespace

extern "C" void check_library() {
  CHECK(integral<unsigned char>(u8, 10) == 22 && u8 == 21);
  CHECK(integral<short>(i16, 10) == 22 && i16 == 21);
  CHECK(integral<int>(i32, 10) == 22 && i32 == 21);
  CHECK(integral<long long>(i64, 10) == 22 && i64 == 21);
  alignas(8) std::atomic<Pair> pair{Pair{1, 2}};
  CHECK(structure(pair) && pair.load().a == 2);
  int array[4];
  std::atomic<int *> p{array};
  CHECK(pointer(p) == array + 3 && p == array + 2);
  alignas(8) std::atomic<double> d{1.0};
  CHECK(floating(d) == 2.25);
  alignas(4) int x = 1;
  unsigned short y = 1;
  CHECK(referenced(x, y) == 7 && x == 8 && y == 0x301);
  CHECK(chain() == 31 && Node::alive == 0);
  CHECK(guarded<1>() == 1 && guarded<2>() == 2 && guarded<1>() == 1);
  CHECK(single().number == 3 && single().number == 3);
  CHECK(spins());
  apply([&x] { reinterpret_cast<std::atomic<int> &>(x)++; });
  apply([] { own.fetch_add(2); });
  CHECK(x == 9 && own == 5);
  CHECK(shared_add(&x, 2) == 9 && x == 11);
}
