// SPDX-License-Identifier: MIT
//
// The hosted part's logic: decide at program start whether there can be only
// one CPU, patch, say so if asked, and switch later if the program wants to.
//
// It is started from .preinit_array, which the loader runs before every
// constructor, those of shared libraries included: no thread exists and none
// of the program's own code has run. Linkers allow that section in executables
// only.

#include "uplock-process.h"
#include "module.h"
#include "system-call.h"
#include "text.h"

#include <elf.h>
#include <fcntl.h>
#include <linux/membarrier.h>

namespace uplock {
namespace {

#ifdef __x86_64__
using AuxiliaryEntry = Elf64_auxv_t;
#else
using AuxiliaryEntry = Elf32_auxv_t;
#endif

uplock_status status{UPLOCK_SMP, "not started", {}, 0};

// Found when it is first needed, and kept: the way back must not depend on a
// file that can be opened.
Module module;
bool is_module_known = false;

bool equal(const char *a, const char *b) {
  while (*a && *a == *b)
    a++, b++;
  return *a == *b;
}

// The value of NAME in ENVIRONMENT, or null. getenv does not work yet.
const char *find_variable(char **environment, const char *name) {
  for (; *environment; environment++) {
    const char *entry = *environment, *wanted = name;
    while (*wanted && *entry == *wanted)
      entry++, wanted++;
    if (!*wanted && *entry == '=')
      return entry + 1;
  }
  return nullptr;
}

// Does the program run with more rights than its user (setuid and the like)?
// The kernel puts the auxiliary vector behind the environment.
bool is_secure(char **environment) {
  while (*environment)
    environment++;
  auto entry = reinterpret_cast<const AuxiliaryEntry *>(environment + 1);
  for (; entry->a_type != AT_NULL; entry++)
    if (entry->a_type == AT_SECURE)
      return entry->a_un.a_val;
  return true;
}

// A line for standard error, written at once.
class Line {
public:
  Line &operator<<(const char *text) {
    while (*text && size < sizeof buffer - 1)
      buffer[size++] = *text++;
    return *this;
  }
  Line &operator<<(uint64_t number) {
    char digits[21];
    char *p = digits + sizeof digits;
    *--p = 0;
    do
      *--p = static_cast<char>('0' + number % 10);
    while (number /= 10);
    return *this << p;
  }
  void print() {
    buffer[size++] = '\n';
    write_file(2, buffer, size);
  }

private:
  char buffer[400];
  size_t size = 0;
};

void print_status() {
  const uplock_counts &counts = status.counts;
  Line line;
  line << "uplock: " << (status.mode == UPLOCK_UP ? "UP" : "SMP") << " ("
       << status.reason << "), " << uint64_t{counts.sites} << " sites";
  if (counts.stores || counts.exchanges)
    line << " (" << uint64_t{counts.locks} << " lock, "
         << uint64_t{counts.stores} << " store, " << uint64_t{counts.exchanges}
         << " exchange)";
  line << ", " << uint64_t{counts.changed} << " changed, "
       << uint64_t{counts.mismatched} << " mismatched, ";
  if (counts.refused)
    line << uint64_t{counts.refused} << " refused, ";
  line << status.nanoseconds / 1000 << " us";
  line.print();
}

// The CPUs that the machine can ever have. Only a plain "0" is one.
constexpr char possible_path[] = "/sys/devices/system/cpu/possible";

struct Decision {
  uplock_mode mode;
  const char *reason;
};

Decision count_cpus() {
  int fd = open_file(possible_path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return {UPLOCK_SMP, "possible CPUs unknown"};
  char text[3] = {};
  long size = read_file(fd, text, sizeof text);
  close_file(fd);
  if (size == 2 && text[0] == '0' && text[1] == '\n')
    return {UPLOCK_UP, "one possible CPU"};
  if (size <= 0)
    return {UPLOCK_SMP, "possible CPUs unknown"};
  return {UPLOCK_SMP, "several possible CPUs"};
}

Decision decide(const char *wish) {
  if (!wish || equal(wish, "auto"))
    return count_cpus();
  if (equal(wish, "up"))
    return {UPLOCK_UP, "UPLOCK=up"};
  if (equal(wish, "smp"))
    return {UPLOCK_SMP, "UPLOCK=smp"};
  Line line;
  line << "uplock: UPLOCK is neither auto nor up nor smp: taken as auto";
  line.print();
  return count_cpus();
}

int write_text(void *writer, uint8_t *byte, uint8_t value) {
  static_cast<TextWriter *>(writer)->write(byte, value);
  return 1;
}

// Every CPU that runs a thread of this process has run a serialising
// instruction when this returns. Where the kernel cannot do it, the way to
// another CPU is what serialises: a thread gets there through a context switch.
void serialise_cpus() {
  memory_barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE);
  memory_barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE);
}

// Patches the module. STATUS says UP as long as a single site may be unlocked.
void patch(uplock_mode mode) {
  TextWriter writer(module.protection);
  uplock_text text{module.text, module.text_end, write_text, &writer};
  uplock_counts &counts = status.counts;
  counts = uplock_apply(module.table, module.table_end, &text, mode);
  writer.flush();
  counts.refused = writer.refused();
  counts.changed -= counts.refused;
  if (counts.refused)
    status.reason = "text cannot be written";
  if (mode == UPLOCK_UP)
    status.mode = counts.changed || counts.already ? UPLOCK_UP : UPLOCK_SMP;
  else if (!counts.refused)
    status.mode = UPLOCK_SMP;
  if (mode == UPLOCK_SMP && counts.changed)
    serialise_cpus();
}

void switch_to(Decision decision) {
  uint64_t start = monotonic_nanoseconds();
  status.reason = decision.reason;
  status.counts = {};
  const char *problem = is_module_known ? nullptr : find_own_module(module);
  is_module_known = !problem;
  if (problem)
    status.reason = problem;
  else
    patch(decision.mode);
  status.nanoseconds = monotonic_nanoseconds() - start;
}

void start(int, char **, char **environment) {
  bool secure = is_secure(environment);
  auto setting = [&](const char *name) {
    return secure ? nullptr : find_variable(environment, name);
  };
  const char *log = setting("UPLOCK_LOG");
  bool is_logged = log && equal(log, "1");

  Decision decision = decide(setting("UPLOCK"));
  // Everything is locked as linked: there is nothing to do, but to count.
  if (decision.mode == UPLOCK_UP || is_logged)
    switch_to(decision);
  else
    status = {decision.mode, decision.reason, {}, 0};
  if (is_logged)
    print_status();
}

} // namespace
} // namespace uplock

extern "C" {

// The name by which the link asks for this file (-Wl,-u in uplock.pc): nothing
// else in a program refers to it.
extern void (*const uplock_process_start)(int, char **, char **);

[[gnu::section(".preinit_array"),
  gnu::used]] void (*const uplock_process_start)(int, char **,
                                                 char **) = uplock::start;

uplock_status uplock_process_status(void) { return uplock::status; }

uplock_status uplock_process_switch(uplock_mode mode) {
  uplock::switch_to(
      {mode == UPLOCK_UP ? UPLOCK_UP : UPLOCK_SMP, "uplock_process_switch"});
  return uplock::status;
}
}
