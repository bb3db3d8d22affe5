// SPDX-License-Identifier: MIT
//
// The mode of a program that starts.
//
// What counts are the CPUs that the machine can ever have (Linux's
// Documentation/admin-guide/cputopology.rst, "possible"): not those online,
// one may be plugged in; and not those that the process may use, which a cpuset
// or sched_setaffinity can change at any time, and with which it may share
// memory with processes elsewhere. Only a plain "0" is one CPU; whatever else
// the file has, or if there is none, the program stays locked.
//
// Reading the file takes up to 25 us, more than all else that a start does
// where nothing is patched (scripts/bench-start). So what the process may use
// is asked first: with two CPUs the answer is clear.

#include "decision.h"

#include <fcntl.h>
#include <sys/auxv.h>

extern "C" char **environ;

namespace uplock {
namespace {

constexpr char possible_path[] = "/sys/devices/system/cpu/possible";

bool equal(const char *a, const char *b) {
  while (*a && *a == *b)
    a++, b++;
  return *a == *b;
}

// The value of NAME in the environment; "" if there is none, or if the program
// runs with more rights than who gave it (setuid and the like).
const char *setting(const char *name) {
  if (!environ || getauxval(AT_SECURE))
    return "";
  for (char **variable = environ; *variable; variable++) {
    const char *entry = *variable, *wanted = name;
    while (*wanted && *entry == *wanted)
      entry++, wanted++;
    if (!*wanted && *entry == '=')
      return entry + 1;
  }
  return "";
}

// How many CPUs may the calling thread run on? 0 if that cannot be told.
size_t allowed_cpus() {
  unsigned long mask[8192 / (8 * sizeof(long))] = {}; // Linux has no more
  long size =
      system_call(__NR_sched_getaffinity, 0, sizeof mask, as_argument(mask));
  size_t count = 0;
  for (long i = 0; i < size / static_cast<long>(sizeof *mask); i++)
    for (unsigned long bits = mask[i]; bits; bits &= bits - 1)
      count++;
  return count;
}

Decision count_cpus() {
  // Where two can be used there are two, whatever a container's file says.
  if (allowed_cpus() > 1)
    return {UPLOCK_SMP, Reason::several_cpus};
  int fd = open_file(possible_path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return {UPLOCK_SMP, Reason::unknown_cpus};
  char text[3] = {};
  long size = read_file(fd, text, sizeof text);
  close_file(fd);
  if (size == 2 && text[0] == '0' && text[1] == '\n')
    return {UPLOCK_UP, Reason::one_cpu};
  if (size <= 0)
    return {UPLOCK_SMP, Reason::unknown_cpus};
  return {UPLOCK_SMP, Reason::several_cpus};
}

} // namespace

Decision decide(const StandardError &standard_error) {
  const char *wish = setting("UPLOCK");
  if (equal(wish, "up")) {
    size_t cpus = allowed_cpus();
    if (cpus > 1) {
      Line line;
      line << "UPLOCK=up, but the process may run on " << uint64_t{cpus}
           << " CPUs, where updates get lost: start it with taskset -c CPU";
      line.print(standard_error);
    }
    return {UPLOCK_UP, Reason::asked_up};
  }
  if (equal(wish, "smp"))
    return {UPLOCK_SMP, Reason::asked_smp};
  if (!equal(wish, "") && !equal(wish, "auto")) {
    Line line;
    line << "UPLOCK=\"" << wish << "\" is none of auto, up, smp: taken as auto";
    line.print(standard_error);
  }
  return count_cpus();
}

bool is_logged() {
  const char *log = setting("UPLOCK_LOG");
  return *log && !equal(log, "0");
}

} // namespace uplock
