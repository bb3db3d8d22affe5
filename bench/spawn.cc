// SPDX-License-Identifier: MIT
//
// How long programs take from start to end: runs each of the given ones in
// turn, ROUNDS times over, and prints each one's median in nanoseconds, and the
// median of its differences to the first in the same round. usage: spawn ROUNDS
// PROGRAM...    scripts/bench-start builds and runs it.

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <spawn.h>
#include <sys/wait.h>
#include <vector>

extern char **environ;

static long run(char *program) {
  auto start = std::chrono::steady_clock::now();
  char *arguments[] = {program, nullptr};
  pid_t child;
  int status = 1;
  if (posix_spawn(&child, program, nullptr, nullptr, arguments, environ) ||
      waitpid(child, &status, 0) < 0 || status) {
    fprintf(stderr, "spawn: %s failed\n", program);
    exit(1);
  }
  return std::chrono::nanoseconds(std::chrono::steady_clock::now() - start)
      .count();
}

static long median(std::vector<long> values) {
  auto middle = values.begin() + values.size() / 2;
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

int main(int count, char **arguments) {
  int rounds = count > 1 ? atoi(arguments[1]) : 0, programs = count - 2;
  if (rounds < 1 || programs < 1) {
    fprintf(stderr, "usage: spawn ROUNDS PROGRAM...\n");
    return 2;
  }
  std::vector<std::vector<long>> times(programs);
  for (int round = 0; round < rounds; round++)
    for (int i = 0; i < programs; i++)
      times[i].push_back(run(arguments[i + 2]));
  for (int i = 0; i < programs; i++) {
    std::vector<long> differences;
    for (int round = 0; round < rounds; round++)
      differences.push_back(times[i][round] - times[0][round]);
    printf("%ld %ld\n", median(times[i]), median(differences));
  }
}
