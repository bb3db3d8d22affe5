// SPDX-License-Identifier: GPL-3.0-or-later
//
// The atomic operations of random programs (scripts/random_program.py), in two
// versions that must compute the same: the compiler's, and with -DPLAIN ordinary
// arithmetic, for one thread.
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef PLAIN
// As wide as it gets, so that nothing overflows.
#define UPDATE(T, p, new_value, result)                                        \
  __extension__({                                                              \
    volatile T *place = (p);                                                   \
    T old = *place;                                                            \
    T updated = (T)(new_value);                                                \
    *place = updated;                                                          \
    (void)old, (void)updated;                                                  \
    result;                                                                    \
  })
#define FETCH_ADD(T, p, v, o) UPDATE(T, p, (uint64_t)old + (uint64_t)(v), old)
#define FETCH_SUB(T, p, v, o) UPDATE(T, p, (uint64_t)old - (uint64_t)(v), old)
#define FETCH_AND(T, p, v, o) UPDATE(T, p, old & (T)(v), old)
#define FETCH_OR(T, p, v, o) UPDATE(T, p, old | (T)(v), old)
#define FETCH_XOR(T, p, v, o) UPDATE(T, p, old ^ (T)(v), old)
#define FETCH_NAND(T, p, v, o) UPDATE(T, p, ~(old & (T)(v)), old)
#define ADD_FETCH(T, p, v, o)                                                  \
  UPDATE(T, p, (uint64_t)old + (uint64_t)(v), updated)
#define SUB_FETCH(T, p, v, o)                                                  \
  UPDATE(T, p, (uint64_t)old - (uint64_t)(v), updated)
#define AND_FETCH(T, p, v, o) UPDATE(T, p, old & (T)(v), updated)
#define OR_FETCH(T, p, v, o) UPDATE(T, p, old | (T)(v), updated)
#define XOR_FETCH(T, p, v, o) UPDATE(T, p, old ^ (T)(v), updated)
#define NAND_FETCH(T, p, v, o) UPDATE(T, p, ~(old & (T)(v)), updated)
#define SYNC_ADD(T, p, v) FETCH_ADD(T, p, v, 5)
#define SYNC_SUB(T, p, v) FETCH_SUB(T, p, v, 5)
#define SYNC_OR(T, p, v) FETCH_OR(T, p, v, 5)
#define SYNC_AND(T, p, v) FETCH_AND(T, p, v, 5)
#define SYNC_XOR(T, p, v) FETCH_XOR(T, p, v, 5)
#define SYNC_SET(T, p, v) UPDATE(T, p, v, old)
#define SYNC_CAS(T, p, e, v) UPDATE(T, p, old == (T)(e) ? (T)(v) : old, old)
#define EXCHANGE(T, p, v, o) UPDATE(T, p, v, old)
#define LOAD(T, p, o) (*(volatile T *)(p))
#define STORE(T, p, v, o) (*(volatile T *)(p) = (T)(v))
#define CAS(T, p, e, v, weak, o, f)                                            \
  __extension__({                                                              \
    volatile T *place = (p);                                                   \
    T *expected = (e);                                                         \
    T found = *place;                                                          \
    int equal = found == *expected;                                            \
    if (equal)                                                                 \
      *place = (T)(v);                                                         \
    else                                                                       \
      *expected = found;                                                       \
    equal;                                                                     \
  })
#define FENCE(o) ((void)0)
#define SIGNAL_FENCE(o) ((void)0)
#else
#define FETCH_ADD(T, p, v, o) __atomic_fetch_add(p, v, o)
#define FETCH_SUB(T, p, v, o) __atomic_fetch_sub(p, v, o)
#define FETCH_AND(T, p, v, o) __atomic_fetch_and(p, v, o)
#define FETCH_OR(T, p, v, o) __atomic_fetch_or(p, v, o)
#define FETCH_XOR(T, p, v, o) __atomic_fetch_xor(p, v, o)
#define FETCH_NAND(T, p, v, o) __atomic_fetch_nand(p, v, o)
#define ADD_FETCH(T, p, v, o) __atomic_add_fetch(p, v, o)
#define SUB_FETCH(T, p, v, o) __atomic_sub_fetch(p, v, o)
#define AND_FETCH(T, p, v, o) __atomic_and_fetch(p, v, o)
#define OR_FETCH(T, p, v, o) __atomic_or_fetch(p, v, o)
#define XOR_FETCH(T, p, v, o) __atomic_xor_fetch(p, v, o)
#define NAND_FETCH(T, p, v, o) __atomic_nand_fetch(p, v, o)
#define SYNC_ADD(T, p, v) __sync_fetch_and_add(p, v)
#define SYNC_SUB(T, p, v) __sync_fetch_and_sub(p, v)
#define SYNC_OR(T, p, v) __sync_fetch_and_or(p, v)
#define SYNC_AND(T, p, v) __sync_fetch_and_and(p, v)
#define SYNC_XOR(T, p, v) __sync_fetch_and_xor(p, v)
#define SYNC_SET(T, p, v) __sync_lock_test_and_set(p, v)
#define SYNC_CAS(T, p, e, v) __sync_val_compare_and_swap(p, (T)(e), (T)(v))
#define EXCHANGE(T, p, v, o) __atomic_exchange_n(p, v, o)
#define LOAD(T, p, o) __atomic_load_n(p, o)
#define STORE(T, p, v, o) __atomic_store_n(p, v, o)
#define CAS(T, p, e, v, weak, o, f)                                            \
  __atomic_compare_exchange_n(p, e, (T)(v), weak, o, f)
#define FENCE(o) __atomic_thread_fence(o)
#define SIGNAL_FENCE(o) __atomic_signal_fence(o)
#endif

// That there is a lock in an asm is not to be seen in the code.
#if defined PLAIN || defined NO_ASM
#define ASM_ADD(p, v) ((void)FETCH_ADD(uint32_t, p, v, 5), 0)
#define ASM_XADD(p, v) FETCH_ADD(uint32_t, p, v, 5)
#define ASM_INC(p) ((void)FETCH_ADD(uint32_t, p, 1, 5), 0)
#else
#define ASM_ADD(p, v)                                                          \
  __extension__({                                                              \
    __asm__ __volatile__("lock; add{l %1, %0| %0, %1}"                         \
                         : "+m"(*(p))                                          \
                         : "r"((uint32_t)(v))                                  \
                         : "cc");                                              \
    0;                                                                         \
  })
#define ASM_XADD(p, v)                                                         \
  __extension__({                                                              \
    uint32_t register_value = (uint32_t)(v);                                   \
    __asm__ __volatile__("lock xadd{l %0, %1| %1, %0}"                         \
                         : "+r"(register_value), "+m"(*(p))                    \
                         :                                                     \
                         : "memory", "cc");                                    \
    register_value;                                                            \
  })
#define ASM_INC(p)                                                             \
  __extension__({                                                              \
    __asm__ __volatile__("lock\n\tinc{l %0| %0}" : "+m"(*(p)) : : "cc");       \
    0;                                                                         \
  })
#endif

#ifdef __cplusplus
#ifdef PLAIN
template <class T> struct Atomic {
  T value;
  Atomic(T initial) : value(initial) {}
  T fetch_add(T v, int = 5) { return FETCH_ADD(T, &value, v, 5); }
  T fetch_sub(T v, int = 5) { return FETCH_SUB(T, &value, v, 5); }
  T fetch_and(T v, int = 5) { return FETCH_AND(T, &value, v, 5); }
  T fetch_or(T v, int = 5) { return FETCH_OR(T, &value, v, 5); }
  T fetch_xor(T v, int = 5) { return FETCH_XOR(T, &value, v, 5); }
  T exchange(T v, int = 5) { return EXCHANGE(T, &value, v, 5); }
  void store(T v, int = 5) { value = v; }
  T load(int = 5) const { return value; }
  bool compare_exchange_strong(T &e, T v, int = 5) {
    return CAS(T, &value, &e, v, 0, 5, 5);
  }
  bool compare_exchange_weak(T &e, T v, int = 5) {
    return CAS(T, &value, &e, v, 0, 5, 5);
  }
  T operator++() { return ADD_FETCH(T, &value, 1, 5); }
  T operator--() { return SUB_FETCH(T, &value, 1, 5); }
  T operator++(int) { return FETCH_ADD(T, &value, 1, 5); }
  T operator+=(T v) { return ADD_FETCH(T, &value, v, 5); }
  T operator|=(T v) { return OR_FETCH(T, &value, v, 5); }
  T operator=(T v) { return value = v; }
  operator T() const { return value; }
};
#define ORDER(o) o
#else
#include <atomic>
template <class T> using Atomic = std::atomic<T>;
#define ORDER(o) (std::memory_order)(o)
#endif
#endif

// The process is switched to another mode between the rounds, where the library is
// linked in and SWITCH is in the environment.
#ifdef __cplusplus
extern "C"
#endif
    void switch_mode(int round) __attribute__((weak));

static void next_round(int round) {
  if (switch_mode && getenv("SWITCH"))
    switch_mode(round);
}

// Runs BODY in two threads; in plain arithmetic, one after the other.
static void run_in_two_threads(void *(*body)(void *)) {
#ifdef PLAIN
  body(NULL);
  body(NULL);
#else
  pthread_t threads[2];
  for (int i = 0; i < 2; i++)
    if (pthread_create(&threads[i], NULL, body, NULL))
      abort();
  for (int i = 0; i < 2; i++)
    pthread_join(threads[i], NULL);
#endif
}
