// SPDX-License-Identifier: MIT
//
// The ways to run without a lock that cases.cc compares, as classes with the
// operations of std::atomic that it uses. A program has one of them:
//
//   std::atomic   what everybody writes: stock, omit-lock (by the assembler's
//                 option) and uplock are compilations of it
//   Plain         no atomic at all, the limit: right on one CPU only, and of
//                 interrupts it must not have any in the wrong place
//   Branch        a look at a flag in front of each prefix, as the JVM HotSpot
//                 once had it
//
// and the Variants: each operation of a case is a function that is not inlined,
// of which there is one version on std::atomic and one on Plain; all calls of
// the one are made calls of the other. That is the technique of multiverse
// (github.com/luhsra/multiverse), which lets a plugin find the calls. Here all
// of the program's code is searched for them.

#ifndef BENCH_POLICIES_H
#define BENCH_POLICIES_H

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <ext/concurrence.h>
#include <sys/mman.h>
#include <type_traits>
#include <vector>

// A value that the compiler keeps in memory, for both of the classes below.
template <class T> class Cell {
public:
  Cell() = default;
  Cell(T value) : value(value) {}
  Cell(const Cell &) = delete;
  Cell &operator=(const Cell &) = delete;

  T load(std::memory_order = std::memory_order_seq_cst) const {
    asm volatile("" ::: "memory");
    return value;
  }

protected:
  T value;
};

template <class T> class Plain : public Cell<T> {
public:
  using Cell<T>::Cell;

  void store(T desired, std::memory_order = std::memory_order_seq_cst) {
    this->value = desired;
    asm volatile("" ::: "memory");
  }
  T exchange(T desired, std::memory_order = std::memory_order_seq_cst) {
    T old = this->load();
    store(desired);
    return old;
  }
  T fetch_add(T more, std::memory_order = std::memory_order_seq_cst) {
    T old = this->load();
    store(static_cast<T>(old + more));
    return old;
  }
  T fetch_sub(T less, std::memory_order = std::memory_order_seq_cst) {
    return fetch_add(static_cast<T>(-less));
  }
  bool compare_exchange_strong(T &expected, T desired,
                               std::memory_order = std::memory_order_seq_cst,
                               std::memory_order = std::memory_order_seq_cst) {
    T old = this->load();
    if (std::memcmp(&old, &expected, sizeof old) != 0) {
      expected = old;
      return false;
    }
    store(desired);
    return true;
  }
  bool compare_exchange_weak(T &expected, T desired,
                             std::memory_order = std::memory_order_seq_cst,
                             std::memory_order = std::memory_order_seq_cst) {
    return compare_exchange_strong(expected, desired);
  }
  bool is_lock_free() const { return true; }
};

// Are there several CPUs? A byte, for the asm statements.
inline char is_smp asm("bench_is_smp") __attribute__((used)) = 1;

#define LOCK_IF_SMP "cmpb $0,bench_is_smp(%%rip)\n\tje 1f\n\tlock\n1:\t"

template <class T> class Branch : public Cell<T> {
public:
  using Cell<T>::Cell;

  void store(T desired, std::memory_order order = std::memory_order_seq_cst) {
    asm volatile("" ::: "memory");
    this->value = desired;
    if (order == std::memory_order_seq_cst)
      fence();
    else
      asm volatile("" ::: "memory");
  }
  // No branch takes the lock away from an xchg.
  T exchange(T desired, std::memory_order = std::memory_order_seq_cst) {
    asm volatile("xchg %0,%1" : "+q"(desired), "+m"(this->value)::"memory");
    return desired;
  }
  T fetch_add(T more, std::memory_order = std::memory_order_seq_cst) {
    asm volatile(LOCK_IF_SMP "xadd %0,%1"
                 : "+q"(more), "+m"(this->value)::"memory", "cc");
    return more;
  }
  T fetch_sub(T less, std::memory_order = std::memory_order_seq_cst) {
    return fetch_add(static_cast<T>(-less));
  }
  bool compare_exchange_strong(T &expected, T desired,
                               std::memory_order = std::memory_order_seq_cst,
                               std::memory_order = std::memory_order_seq_cst) {
    // As a number: Boost's pointers with tags are classes of eight bytes.
    using Word = std::conditional_t<
        sizeof(T) == 8, uint64_t,
        std::conditional_t<
            sizeof(T) == 4, uint32_t,
            std::conditional_t<sizeof(T) == 2, uint16_t, uint8_t>>>;
    Word old, wanted;
    std::memcpy(&old, &expected, sizeof old);
    std::memcpy(&wanted, &desired, sizeof wanted);
    bool done;
    asm volatile(LOCK_IF_SMP "cmpxchg %3,%1"
                 : "=@ccz"(done), "+m"(this->value), "+a"(old)
                 : "q"(wanted)
                 : "memory");
    if (!done)
      std::memcpy(static_cast<void *>(&expected), &old, sizeof old);
    return done;
  }
  bool compare_exchange_weak(T &expected, T desired,
                             std::memory_order = std::memory_order_seq_cst,
                             std::memory_order = std::memory_order_seq_cst) {
    return compare_exchange_strong(expected, desired);
  }
  bool is_lock_free() const { return true; }

  static void fence() {
    asm volatile("cmpb $0,bench_is_smp(%%rip)\n\t"
                 "je 1f\n\t"
                 "lock orl $0,(%%rsp)\n"
                 "1:" ::
                     : "memory", "cc");
  }
};

// std::atomic_flag's operations.
template <template <class> class Atomic> class Flag {
public:
  bool test_and_set(std::memory_order order) {
    return value.exchange(true, order);
  }
  void clear(std::memory_order order) { value.store(false, order); }

private:
  Atomic<bool> value{false};
};
template <> class Flag<std::atomic> : public std::atomic_flag {};

// What else goes with each of them.
template <template <class> class Atomic> struct Policy;

template <> struct Policy<std::atomic> {
  static void fence() { std::atomic_thread_fence(std::memory_order_seq_cst); }
  static constexpr auto shared = __gnu_cxx::_S_atomic;
};
template <> struct Policy<Plain> {
  static void fence() { asm volatile("" ::: "memory"); }
  static constexpr auto shared = __gnu_cxx::_S_single;
};
template <> struct Policy<Branch> {
  static void fence() { Branch<int>::fence(); }
};

// Makes each call of, and each jump to, a function of FROM one of or to that of
// TO in the same place; aborts if there is none. All code is read as if a call
// could begin at any byte: that four bytes happen to be the distance to one of
// these functions is unlikely enough.
inline void call_variants(const std::vector<void *> &from,
                          const std::vector<void *> &to) {
  extern char begin[] asm("__executable_start"), end[] asm("etext");
  constexpr uint8_t call = 0xe8, jmp = 0xe9;
  constexpr size_t size = 5, page = 4096;
  auto first = reinterpret_cast<uintptr_t>(begin) & -page;
  if (mprotect(reinterpret_cast<void *>(first),
               reinterpret_cast<uintptr_t>(end) - first,
               PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
    abort();
  std::vector<bool> is_called(from.size());
  for (char *at = begin; at + size <= end; at++) {
    auto opcode = static_cast<uint8_t>(*at);
    if (opcode != call && opcode != jmp)
      continue;
    int32_t distance;
    std::memcpy(&distance, at + 1, sizeof distance);
    auto callee = std::find(from.begin(), from.end(), at + size + distance);
    if (callee == from.end())
      continue;
    size_t index = callee - from.begin();
    distance = static_cast<char *>(to[index]) - (at + size);
    std::memcpy(at + 1, &distance, sizeof distance);
    is_called[index] = true;
  }
  if (std::find(is_called.begin(), is_called.end(), false) != is_called.end())
    abort();
}

#endif
