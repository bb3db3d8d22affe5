// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prints the code of an atomic increment as it is in memory, switches a second
// CPU on if the kernel has one that is off, and counts with several threads.
// Fails if an update was lost; on two CPUs without locks many are.
#include <atomic>
#include <cstdio>
#include <fcntl.h>
#include <thread>
#include <unistd.h>
#include <vector>

namespace {

constexpr int threads = 4;
constexpr int rounds = 1'000'000;

std::atomic<int> ones, threes;
std::atomic<long long> fives;

__attribute__((noinline)) void increment(std::atomic<int> *number) {
  ++*number;
}

void count() {
  for (int round = 0; round < rounds; round++) {
    increment(&ones);
    threes.fetch_add(3);
    long long old = fives.load();
    while (!fives.compare_exchange_weak(old, old + 5))
      ;
  }
}

long cpus() { return sysconf(_SC_NPROCESSORS_ONLN); }

void switch_on_second_cpu() {
  int file = open("/sys/devices/system/cpu/cpu1/online", O_WRONLY);
  if (file >= 0 && write(file, "1", 1) != 1)
    perror("cpu1/online");
  close(file);
}

} // namespace

int main() {
  auto code = reinterpret_cast<const volatile unsigned char *>(&increment);
  printf("increment:");
  for (int i = 0; i < 8; i++)
    printf(" %02x", code[i]);

  printf("\nCPUs: %ld", cpus());
  switch_on_second_cpu();
  printf(", then %ld\n", cpus());

  std::vector<std::thread> crowd;
  for (int i = 0; i < threads; i++)
    crowd.emplace_back(count);
  for (auto &thread : crowd)
    thread.join();
  printf("totals: %d %d %lld\n", ones.load(), threes.load(), fives.load());
  return ones != threads * rounds || threes != 3 * threads * rounds ||
         fives != 5LL * threads * rounds;
}
