// SPDX-License-Identifier: MIT
//
// What is measured: one row for each kind of coverage in its barest form, and
// what programs build of them. scripts/bench compiles this file in several ways
// and compares them: ATOMIC is one of policies.h's, std::atomic if it is not
// given; VARIANTS makes it two versions of each operation. UPLOCK=up starts any
// of them as for one CPU, if it can be told so.
//
// A mutex is called, as it would be from a library or a kernel; all else is
// inlined, except in VARIANTS, which cannot.

#include "policies.h"

#ifndef ATOMIC
#define ATOMIC std::atomic
#endif

// Boost.Lockfree on the policy too. This stands for its own choice of one.
#define BOOST_LOCKFREE_DETAIL_ATOMIC_HPP
namespace boost::lockfree {
template <class T> using atomic = ATOMIC<T>;
using std::memory_order_acquire;
using std::memory_order_consume;
using std::memory_order_relaxed;
using std::memory_order_release;
} // namespace boost::lockfree

#include "../examples/workload.h"

#include <benchmark/benchmark.h>
#include <boost/lockfree/queue.hpp>
#include <memory>
#include <string_view>
#include <thread>
#include <vector>

#ifdef VARIANTS
#define OPERATION [[gnu::noipa]]
#else
#define OPERATION [[gnu::always_inline]] inline
#endif
#define POLICY template <template <class> class Atomic>

using std::memory_order_acquire;
using std::memory_order_relaxed;
using std::memory_order_release;

// Counters and the bare instructions.

template <class T, template <class> class Atomic>
OPERATION void count(Atomic<T> &counter) {
  counter.fetch_add(1);
}

POLICY OPERATION void store(Atomic<long> &cell, long value) {
  cell.store(value);
}

POLICY OPERATION long exchange(Atomic<long> &cell, long value) {
  return cell.exchange(value);
}

POLICY OPERATION void fence() { Policy<Atomic>::fence(); }

// GCC takes mfence where code is to be small.
POLICY [[gnu::noipa, gnu::cold]] void small_fence() { Policy<Atomic>::fence(); }

// Dekker's entry: a store, a fence, a look at the other side.
template <template <class> class Atomic> struct Dekker {
  Atomic<long> ours{0}, theirs{0};
};
POLICY OPERATION long enter(Dekker<Atomic> &dekker, long value) {
  dekker.ours.store(value, memory_order_relaxed);
  Policy<Atomic>::fence();
  return dekker.theirs.load(memory_order_relaxed);
}

// Locks.

POLICY OPERATION void lock(Flag<Atomic> &flag) {
  while (flag.test_and_set(memory_order_acquire))
    ;
}
POLICY OPERATION void unlock(Flag<Atomic> &flag) {
  flag.clear(memory_order_release);
}

POLICY struct Ticket { Atomic<unsigned> next{0}, serving{0}; };
POLICY OPERATION void lock(Ticket<Atomic> &lock) {
  unsigned ours = lock.next.fetch_add(1, memory_order_relaxed);
  while (lock.serving.load(memory_order_acquire) != ours)
    ;
}
POLICY OPERATION void unlock(Ticket<Atomic> &lock) {
  lock.serving.store(lock.serving.load(memory_order_relaxed) + 1,
                     memory_order_release);
}

// As OSv has it, see examples/mutex.h. Nobody ever waits here.
POLICY struct Mutex {
  Atomic<unsigned> count{0};
  unsigned depth = 0;
  Atomic<const void *> owner{nullptr};
};
static thread_local const char self = 0;
POLICY [[gnu::noipa]] void lock(Mutex<Atomic> &mutex) {
  if (mutex.count.fetch_add(1, memory_order_acquire) != 0)
    abort();
  mutex.owner.store(&self, memory_order_relaxed);
  mutex.depth = 1;
}
POLICY [[gnu::noipa]] void unlock(Mutex<Atomic> &mutex) {
  if (--mutex.depth != 0)
    return;
  mutex.owner.store(nullptr, memory_order_relaxed);
  if (mutex.count.fetch_sub(1, memory_order_release) != 1)
    abort();
}

// Free, taken, taken with others waiting: what futexes are made for.
POLICY struct ThreeStates { Atomic<int> state{0}; };
POLICY OPERATION void lock(ThreeStates<Atomic> &mutex) {
  int free = 0;
  if (!mutex.state.compare_exchange_strong(free, 1, memory_order_acquire,
                                           memory_order_relaxed))
    abort();
}
POLICY OPERATION void unlock(ThreeStates<Atomic> &mutex) {
  if (mutex.state.exchange(0, memory_order_release) != 1)
    abort();
}

// References.

POLICY struct Counted { Atomic<unsigned> references{1}; };
POLICY OPERATION void take(Counted<Atomic> &counted) {
  counted.references.fetch_add(1, memory_order_relaxed);
}
POLICY OPERATION void drop(Counted<Atomic> &counted) {
  if (counted.references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    abort();
}

POLICY using Shared = std::__shared_ptr<int, Policy<Atomic>::shared>;
template <class Pointer> OPERATION void copy(const Pointer &pointer) {
  Pointer other(pointer);
  benchmark::DoNotOptimize(other);
}

// Lock-free lists. A place is a node's number, and above that one that grows
// with each change, so that no old place is taken for a new one.

using Place = uint64_t;
static uint32_t node_of(Place place) { return static_cast<uint32_t>(place); }
static Place next_place(Place old, uint32_t node) {
  return ((old >> 32) + 1) << 32 | node;
}

// Treiber's stack.
POLICY struct Stack {
  Atomic<Place> top{0};
  uint32_t below[8] = {};
};
POLICY OPERATION void push(Stack<Atomic> &stack, uint32_t node) {
  Place top = stack.top.load(memory_order_relaxed);
  do
    stack.below[node] = node_of(top);
  while (!stack.top.compare_exchange_weak(
      top, next_place(top, node), memory_order_release, memory_order_relaxed));
}
POLICY OPERATION uint32_t pop(Stack<Atomic> &stack) {
  Place top = stack.top.load(memory_order_acquire);
  while (node_of(top) != 0 &&
         !stack.top.compare_exchange_weak(
             top, next_place(top, stack.below[node_of(top)]),
             memory_order_acquire, memory_order_acquire))
    ;
  return node_of(top);
}

// Michael's and Scott's queue. Node 0 is none, 1 the first dummy.
POLICY struct Queue {
  struct Node {
    long value = 0;
    Atomic<Place> next{0};
  };
  Atomic<Place> head{1}, tail{1};
  Node nodes[8];
};
POLICY OPERATION void push(Queue<Atomic> &queue, uint32_t node, long value) {
  queue.nodes[node].value = value;
  queue.nodes[node].next.store(0, memory_order_relaxed);
  for (;;) {
    Place tail = queue.tail.load(memory_order_acquire);
    auto &next_of_tail = queue.nodes[node_of(tail)].next;
    Place next = next_of_tail.load(memory_order_acquire);
    if (tail != queue.tail.load(memory_order_acquire))
      continue;
    if (node_of(next) != 0) {
      queue.tail.compare_exchange_weak(tail, next_place(tail, node_of(next)));
    } else if (next_of_tail.compare_exchange_weak(next,
                                                  next_place(next, node))) {
      queue.tail.compare_exchange_strong(tail, next_place(tail, node));
      return;
    }
  }
}
// Returns the node that is free now, or 0 if the queue is empty.
POLICY OPERATION uint32_t pop(Queue<Atomic> &queue, long &value) {
  for (;;) {
    Place head = queue.head.load(memory_order_acquire);
    Place tail = queue.tail.load(memory_order_acquire);
    uint32_t next =
        node_of(queue.nodes[node_of(head)].next.load(memory_order_acquire));
    if (head != queue.head.load(memory_order_acquire))
      continue;
    if (next == 0)
      return 0;
    if (node_of(head) == node_of(tail)) {
      queue.tail.compare_exchange_weak(tail, next_place(tail, next));
      continue;
    }
    value = queue.nodes[next].value;
    if (queue.head.compare_exchange_weak(head, next_place(head, next)))
      return node_of(head);
  }
}

// A table much larger than the caches: an insert misses them.
class HashTable {
public:
  void insert(uint64_t key) {
    Bucket &bucket = buckets[key * 0x9e3779b97f4a7c15u >> (64 - bits)];
    bucket.keys[bucket.count++ % 7] = key;
  }

private:
  struct alignas(64) Bucket {
    uint64_t count, keys[7];
  };
  static constexpr int bits = 21; // 128 MB
  static inline std::vector<Bucket> buckets{1 << bits};
};

// The rows.

// For all that the compiler knows, others look at the object.
template <class Object, class Operation>
static void run(benchmark::State &state, Object &object, Operation operation) {
  benchmark::DoNotOptimize(&object);
  long value = 0;
  for (auto _ : state)
    operation(object, ++value);
  benchmark::DoNotOptimize(value);
}

// In an operation, `o` is the object of the row and `n` counts.
#define ROW(id, name, type, ...)                                               \
  static void id(benchmark::State &state) {                                    \
    alignas(64) static type object;                                            \
    run(state, object,                                                         \
        []([[maybe_unused]] auto &o, [[maybe_unused]] long &n) {               \
          __VA_ARGS__;                                                         \
        });                                                                    \
  }                                                                            \
  BENCHMARK(id)->Name(name)

// What is done with a lock held, or before a counter is changed.
static long warm[16];
static void store_warm(long value) {
  for (long &place : warm) {
    place = value;
    benchmark::ClobberMemory();
  }
}
static ColdStore store_cold;
static HashTable table;

ROW(count_8, "counter, 8 bits", ATOMIC<uint8_t>, count(o));
ROW(count_16, "counter, 16 bits", ATOMIC<uint16_t>, count(o));
ROW(count_32, "counter, 32 bits", ATOMIC<uint32_t>, count(o));
ROW(count_64, "counter, 64 bits", ATOMIC<uint64_t>, count(o));
ROW(count_cold, "a miss, counter, work", ATOMIC<uint64_t>,
    (store_cold(), count(o), work()));
ROW(seq_cst, "seq_cst store", ATOMIC<long>, store(o, n));
ROW(seq_cst_cold, "a miss, seq_cst store, work", ATOMIC<long>,
    (store_cold(), store(o, n), work()));
ROW(swap, "exchange", ATOMIC<long>, n += exchange(o, n));
ROW(swap_cold, "a miss, exchange, work", ATOMIC<long>,
    (store_cold(), n += exchange(o, n), work()));
ROW(fence_alone, "fence", long, fence<ATOMIC>());
ROW(fence_small, "fence as mfence", long, small_fence<ATOMIC>());
ROW(dekker, "Dekker entry", Dekker<ATOMIC>, n += enter(o, n));
ROW(flag, "test_and_set spinlock", Flag<ATOMIC>, (lock(o), unlock(o)));
ROW(ticket, "ticket spinlock", Ticket<ATOMIC>, (lock(o), unlock(o)));
ROW(mutex, "mutex", Mutex<ATOMIC>, (lock(o), unlock(o)));
ROW(mutex_warm, "mutex, 16 stores", Mutex<ATOMIC>,
    (lock(o), store_warm(n), unlock(o)));
ROW(mutex_cold, "mutex, a miss", Mutex<ATOMIC>,
    (lock(o), store_cold(), unlock(o)));
ROW(mutex_cold_work, "mutex, a miss, work", Mutex<ATOMIC>,
    (lock(o), store_cold(), unlock(o), work()));
ROW(mutex_table, "mutex, insert, work", Mutex<ATOMIC>,
    (lock(o), table.insert(n), unlock(o), work()));
ROW(states, "futex", ThreeStates<ATOMIC>, (lock(o), unlock(o)));
ROW(states_cold, "futex, a miss, work", ThreeStates<ATOMIC>,
    (lock(o), store_cold(), unlock(o), work()));
ROW(counted, "intrusive reference", Counted<ATOMIC>, (take(o), drop(o)));
#ifndef NO_LIBRARY_POLICY // libstdc++'s pointers have policies of their own
static Shared<ATOMIC> shared(new int);
ROW(copy_shared, "std::shared_ptr copy", int, copy(shared));
#endif
ROW(stack, "Treiber stack", Stack<ATOMIC>, (push(o, 1), n += pop(o)));

// The node that is not in the queue goes in next.
static uint32_t spare = 2;
ROW(queue, "Michael-Scott queue", Queue<ATOMIC>,
    (push(o, spare, n), spare = pop(o, n)));
#ifndef VARIANTS // a class of others, whose functions nobody marked
static boost::lockfree::queue<int> items(16);
ROW(boost_queue, "Boost.Lockfree queue", int,
    (items.push(static_cast<int>(n)), items.pop(o)));
#endif

#ifdef VARIANTS
template <class Function> static void *address(Function *function) {
  return reinterpret_cast<void *>(function);
}

POLICY static std::vector<void *> operations() {
  return {
      address(count<uint8_t, Atomic>),
      address(count<uint16_t, Atomic>),
      address(count<uint32_t, Atomic>),
      address(count<uint64_t, Atomic>),
      address(store<Atomic>),
      address(exchange<Atomic>),
      address(fence<Atomic>),
      address(small_fence<Atomic>),
      address(enter<Atomic>),
      address<void(Flag<Atomic> &)>(lock),
      address<void(Flag<Atomic> &)>(unlock),
      address<void(Ticket<Atomic> &)>(lock),
      address<void(Ticket<Atomic> &)>(unlock),
      address<void(Mutex<Atomic> &)>(lock),
      address<void(Mutex<Atomic> &)>(unlock),
      address<void(ThreeStates<Atomic> &)>(lock),
      address<void(ThreeStates<Atomic> &)>(unlock),
      address(take<Atomic>),
      address(drop<Atomic>),
      address(copy<Shared<Atomic>>),
      address<void(Stack<Atomic> &, uint32_t)>(push),
      address<uint32_t(Stack<Atomic> &)>(pop),
      address<void(Queue<Atomic> &, uint32_t, long)>(push),
      address<uint32_t(Queue<Atomic> &, long &)>(pop),
  };
}
#endif

int main(int count, char **arguments) {
  // Until there has been a thread, libstdc++'s pointers do without atomics.
  std::thread([] {}).join();
  const char *mode = getenv("UPLOCK");
  if (mode && std::string_view(mode) == "up") {
    is_smp = 0;
#ifdef VARIANTS
    call_variants(operations<std::atomic>(), operations<Plain>());
#endif
  }
  benchmark::Initialize(&count, arguments);
  benchmark::RunSpecifiedBenchmarks();
}
