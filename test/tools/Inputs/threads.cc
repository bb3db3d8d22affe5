// SPDX-License-Identifier: GPL-3.0-or-later
//
// What threads.c does in C, and with it: streams and threads of C++, the
// reference counts of locales and exceptions, 16-byte atomics (libatomic), and
// a critical section of OpenMP.

#include <atomic>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <locale>
#include <sstream>
#include <string>
#include <thread>

extern "C" void (*more_to_do)(int number, int round);
extern "C" int (*is_more_exact)(int threads, int rounds);

struct Pair {
  long one, two;
};
static std::atomic<Pair> pairs;
static std::atomic<int> by_thread;
static long by_critical;

static void work(int number, int round) {
  std::locale one, other = one;
  std::ostringstream text;
  text << round << ' ' << number;
  if (text.str() != std::to_string(round) + ' ' + std::to_string(number))
    abort();
  Pair old = pairs;
  while (!pairs.compare_exchange_weak(old, {old.one + 1, old.two + 2}))
    ;
#pragma omp critical
  by_critical++;
  if (round % 100 != 0)
    return;
  std::exception_ptr caught;
  try {
    (void)std::filesystem::file_size("/no/such/file");
  } catch (...) {
    caught = std::current_exception();
  }
  std::exception_ptr copy = caught;
  std::thread([] { by_thread++; }).join();
}

static int is_exact(int threads, int rounds) {
  int total = threads * rounds;
  long by_loop = 0;
#pragma omp parallel for num_threads(4) schedule(dynamic) reduction(+ : by_loop)
  for (int i = 0; i < total; i++)
    by_loop++;
  Pair sum = pairs;
  return by_critical == total && by_loop == total && sum.one == total &&
         sum.two == 2 * total && by_thread == total / 100;
}

static const bool is_set = [] {
  more_to_do = work;
  is_more_exact = is_exact;
  return true;
}();
