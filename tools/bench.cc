// SPDX-License-Identifier: GPL-3.0-or-later
//
// uplock bench: what locked instructions cost on this machine, with their LOCK
// prefixes and as uplock leaves them.
//
// Each row is two loops that differ in what uplock changes, and in nothing
// else. All loops run in turn, for a tenth of a millisecond each, many times
// over: a clock that changes, or a neighbour, meets all of them. A row's
// numbers are the medians of its rounds; its spread is half of the middle half
// of them.
//
// Cycles are counted by a chain of additions that wait for each other, in each
// round: the processor's own counter of time (rdtsc) has a rate of its own.

#include "commands.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <fstream>
#include <memory>

#include <sched.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#ifdef __x86_64__
#include <cpuid.h>
#endif

using namespace uplock;

namespace {

// Where the loops work.
struct Ground {
  uint8_t *lines; // lines_size bytes
  uint8_t *far;   // far_size bytes, more than the caches have
  uint64_t next;  // pseudo-random, for a place in far
};
constexpr size_t lines_size = size_t{8} * 64;
constexpr size_t far_size = size_t{128} << 20;

using Loop = void (*)(Ground &ground, uint64_t rounds);

struct Row {
  const char *name;
  bool is_far;   // a store that misses the cache comes first, work last
  Loop loops[2]; // locked, unlocked
};
constexpr int repeated = 8; // in a loop

#ifdef __x86_64__
// Eight of TEXT, each on a line of its own (\at, from rdi on): on one line a
// plain instruction would wait for the one before it, as a locked one does for
// all. Zero are rax, rcx, rbx and rdx, so that compares succeed.
#define UPLOCK_LOOP(text)                                                      \
  [](Ground &ground, uint64_t rounds) {                                        \
    asm volatile("xor %%eax, %%eax; xor %%ebx, %%ebx\n\t"                      \
                 "xor %%ecx, %%ecx; xor %%edx, %%edx\n\t"                      \
                 ".balign 64\n"                                                \
                 "1:\n\t"                                                      \
                 ".irp at, 0, 64, 128, 192, 256, 320, 384, 448\n\t" text       \
                 "\n\t.endr\n\t"                                               \
                 "dec %[rounds]\n\t"                                           \
                 "jnz 1b"                                                      \
                 : [rounds] "+r"(rounds), [next] "+r"(ground.next)             \
                 : "D"(ground.lines), [far] "r"(ground.far)                    \
                 : "rax", "rbx", "rcx", "rdx", "r8", "r9", "r10", "r11", "cc", \
                   "memory");                                                  \
  }
#define LINE "\\at(%%rdi);"
// A store to a place that a generator chooses (Knuth's MMIX): its upper 27 bits
// are far_size's.
#define MISS                                                                   \
  "movabs $6364136223846793005, %%r8; imul %%r8, %[next]; inc %[next];"        \
  "mov %[next], %%r8; shr $37, %%r8; movb $1, (%[far],%%r8);"
// More instructions than a processor looks ahead, none of which needs what was
// stored: what the miss could overlap with.
#define WORK                                                                   \
  ";mov $64, %%r8d; 2:\n\t.rept 4\n\t"                                         \
  "add %%rax, %%r9; add %%rax, %%r10; add %%rax, %%r11"                        \
  "\n\t.endr\n\tdec %%r8d; jnz 2b"
#define PAIR(lock, between)                                                    \
  "mov $1, %%ecx;" lock "cmpxchgl %%ecx," LINE "jne .;" between lock           \
  "decl " LINE
#define NEAR(locked, unlocked)                                                 \
  false, { UPLOCK_LOOP(locked), UPLOCK_LOOP(unlocked) }
#define FAR(locked, unlocked)                                                  \
  true, { UPLOCK_LOOP(MISS locked WORK), UPLOCK_LOOP(MISS unlocked WORK) }

constexpr const char *pair_name = "mutex: lock, unlock";
constexpr Row rows[] = {
    {"lock add", NEAR("lock addl $1," LINE, "addl $1," LINE)},
    {"lock inc", NEAR("lock incl " LINE, "incl " LINE)},
    {"lock dec", NEAR("lock decl " LINE, "decl " LINE)},
    {"lock or", NEAR("lock orl $1," LINE, "orl $1," LINE)},
    {"lock bts", NEAR("lock btsl $1," LINE, "btsl $1," LINE)},
    {"lock xadd", NEAR("lock xaddl %%ecx," LINE, "xaddl %%ecx," LINE)},
    {"lock cmpxchg", NEAR("lock cmpxchgl %%ecx," LINE, "cmpxchgl %%ecx," LINE)},
    {"lock cmpxchg16b", NEAR("lock cmpxchg16b " LINE, "cmpxchg16b " LINE)},
    {"store: xchg", NEAR("xchgl %%ecx," LINE, "movl %%ecx," LINE)},
    {"store: mov, mfence",
     NEAR("movl %%ecx," LINE "mfence", "movl %%ecx," LINE)},
    {"fence: lock or", NEAR("lock orq $0, (%%rsp)", "orq $0, (%%rsp)")},
    {"fence: mfence", NEAR("mfence", "orq $0, (%%rsp)")},
    {pair_name, NEAR(PAIR("lock ", ""), PAIR("", ""))},
    {"lock add", FAR("lock addl $1," LINE, "addl $1," LINE)},
    {"store: xchg", FAR("xchgl %%ecx," LINE, "movl %%ecx," LINE)},
    {"fence: mfence", FAR("mfence", "orq $0, (%%rsp)")},
    {pair_name,
     true,
     {UPLOCK_LOOP(PAIR("lock ", MISS) WORK), UPLOCK_LOOP(PAIR("", MISS) WORK)}},
};
constexpr size_t row_count = std::size(rows);

// One addition waits for the other: a cycle each, on each processor so far.
constexpr Loop clock_loop = UPLOCK_LOOP("add %%rcx, %%rax");

struct Measure {
  double median, low, high; // quartiles
  double spread() const { return (high - low) / 2 / median; }
};

Measure measure_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  size_t last = values.size() - 1;
  return {values[last / 2], values[last / 4], values[last - last / 4]};
}

struct Result {
  Measure ns[2];
  double cycles[2];
  double ratio; // the median of the rounds' ratios
};

struct Machine {
  std::string name;
  bool is_virtual;
  std::string possible; // the CPUs that it can have, as Linux writes it
  int online;
  int cpu; // on which it was measured; -1: on any
};

std::string processor_name() {
  std::array<unsigned, 12> words{};
  for (unsigned i = 0; i < 3; i++)
    __get_cpuid(0x80000002 + i, &words[4 * i], &words[4 * i + 1],
                &words[4 * i + 2], &words[4 * i + 3]);
  std::string name(reinterpret_cast<char *>(words.data()), sizeof words);
  name.erase(std::min(name.find('\0'), name.size()));
  name.erase(0, name.find_first_not_of(' '));
  return name.erase(name.find_last_not_of(' ') + 1);
}

// Pins this process to the CPU that it is on.
Machine pin_to_machine() {
  constexpr unsigned hypervisor = 1u << 31;
  unsigned a, b, c = 0, d;
  __get_cpuid(1, &a, &b, &c, &d);
  Machine machine{processor_name(), (c & hypervisor) != 0, "unknown",
                  static_cast<int>(sysconf(_SC_NPROCESSORS_ONLN)), -1};
  std::ifstream("/sys/devices/system/cpu/possible") >> machine.possible;
  int cpu = sched_getcpu();
  cpu_set_t set;
  CPU_ZERO(&set);
  if (cpu >= 0 && cpu < CPU_SETSIZE) {
    CPU_SET(cpu, &set);
    if (sched_setaffinity(0, sizeof set, &set) == 0)
      machine.cpu = cpu;
  }
  return machine;
}

double now() {
  timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return time.tv_sec * 1e9 + time.tv_nsec;
}

double ns_of(Loop loop, Ground &ground, uint64_t rounds) {
  memset(ground.lines, 0, lines_size);
  double start = now();
  loop(ground, rounds);
  return (now() - start) / static_cast<double>(rounds * repeated);
}

// How many rounds take a tenth of a millisecond.
uint64_t rounds_for(Loop loop, Ground &ground) {
  constexpr double wanted = 1e5;
  uint64_t rounds = 16;
  while (ns_of(loop, ground, rounds) * rounds * repeated < wanted / 2)
    rounds *= 2;
  return rounds;
}

std::vector<Result> measure_all(Ground &ground) {
  constexpr int turns = 61;
  uint64_t rounds[row_count][2];
  for (size_t i = 0; i < row_count; i++)
    for (int mode : {0, 1})
      rounds[i][mode] = rounds_for(rows[i].loops[mode], ground);
  uint64_t clock_rounds = rounds_for(clock_loop, ground);

  std::vector<double> ns[row_count][2], ratios[row_count], cycle;
  for (int turn = 0; turn < turns; turn++) {
    cycle.push_back(ns_of(clock_loop, ground, clock_rounds));
    for (size_t i = 0; i < row_count; i++) {
      for (int mode : {0, 1})
        ns[i][mode].push_back(
            ns_of(rows[i].loops[mode], ground, rounds[i][mode]));
      ratios[i].push_back(ns[i][1].back() / ns[i][0].back());
    }
  }

  double cycle_ns = measure_of(cycle).median;
  std::vector<Result> results;
  for (size_t i = 0; i < row_count; i++) {
    Measure locked = measure_of(ns[i][0]), unlocked = measure_of(ns[i][1]);
    results.push_back({{locked, unlocked},
                       {locked.median / cycle_ns, unlocked.median / cycle_ns},
                       measure_of(ratios[i]).median});
  }
  return results;
}

template <typename... Values>
std::string formatted(const char *format, Values... values) {
  char line[200];
  snprintf(line, sizeof line, format, values...);
  return line;
}

// What the row takes, and of that what is left.
std::string bar(const Result &result, double longest) {
  constexpr double width = 24;
  auto length = [&](double ns) {
    return static_cast<size_t>(std::min(ns / longest, 1.0) * width + 0.5);
  };
  size_t whole = std::max<size_t>(1, length(result.ns[0].median));
  size_t left = std::min(whole, length(result.ns[1].median));
  return std::string(left, '#') + std::string(whole - left, '-');
}

void print_rows(const std::vector<Result> &results, bool is_far) {
  double longest = 0;
  for (size_t i = 0; i < row_count; i++)
    if (rows[i].is_far == is_far)
      longest = std::max(longest, results[i].ns[0].median);
  for (size_t i = 0; i < row_count; i++) {
    if (rows[i].is_far != is_far)
      continue;
    const Result &result = results[i];
    print_line(formatted(
        "  %-19s %7.2f %3.0f%% %7.1f %7.2f %3.0f%% %7.1f  %5.2f  %s",
        rows[i].name, result.ns[0].median, 100 * result.ns[0].spread(),
        result.cycles[0], result.ns[1].median, 100 * result.ns[1].spread(),
        result.cycles[1], result.ratio, bar(result, longest).c_str()));
  }
}

const Result &pair_of(const std::vector<Result> &results, bool is_far) {
  for (size_t i = 0; i < row_count; i++)
    if (rows[i].is_far == is_far && !strcmp(rows[i].name, pair_name))
      return results[i];
  abort();
}

void print_text(const Machine &machine, const std::vector<Result> &results) {
  print_line(formatted(
      "%s%s; %d CPU%s online, possible %s; measured on %s",
      machine.name.c_str(), machine.is_virtual ? ", a virtual machine" : "",
      machine.online, machine.online == 1 ? "" : "s", machine.possible.c_str(),
      machine.cpu < 0 ? "any (it could not be pinned)"
                      : ("CPU " + std::to_string(machine.cpu)).c_str()));
  print_line("");
  print_line(
      "                       locked, as compiled     as uplock leaves it");
  print_line("                           ns   +-  cycles      ns   +-  cycles  "
             "ratio  # left, - gone");
  print_line("in the cache");
  print_rows(results, false);
  print_line("behind a store that misses the cache, and with work behind it");
  print_rows(results, true);
  print_line("");
  const Result &near = pair_of(results, false), &far = pair_of(results, true);
  print_line(formatted(
      "On one CPU a mutex's lock and unlock would take %.1f ns instead of "
      "%.1f, "
      "and %.0f instead of %.0f where a store between them misses the cache.",
      near.ns[1].median, near.ns[0].median, far.ns[1].median,
      far.ns[0].median));
}

void print_json(const Machine &machine, const std::vector<Result> &results) {
  Json json;
  json.begin('{')
      .string("cpu", machine.name)
      .boolean("virtual", machine.is_virtual)
      .number("online_cpus", machine.online)
      .string("possible_cpus", machine.possible)
      .boolean("pinned", machine.cpu >= 0)
      .begin('[', "rows");
  for (size_t i = 0; i < row_count; i++) {
    json.begin('{')
        .string("name", rows[i].name)
        .boolean("behind_store_miss", rows[i].is_far);
    for (int mode : {0, 1}) {
      const Measure &ns = results[i].ns[mode];
      json.begin('{', mode ? "unlocked" : "locked")
          .decimal("ns", ns.median)
          .decimal("ns_quartile_1", ns.low)
          .decimal("ns_quartile_3", ns.high)
          .decimal("cycles", results[i].cycles[mode])
          .end('}');
    }
    json.decimal("ratio", results[i].ratio).end('}');
  }
  json.end(']').end('}');
}

Status run(bool is_json) {
  void *far = mmap(nullptr, far_size, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (far == MAP_FAILED)
    throw std::bad_alloc();
  // Without large pages the page tables miss the caches too.
  madvise(far, far_size, MADV_HUGEPAGE);
  Machine machine = pin_to_machine();
  memset(far, 1, far_size);
  alignas(64) uint8_t lines[lines_size];
  Ground ground{lines, static_cast<uint8_t *>(far), 1};
  std::vector<Result> results = measure_all(ground);
  munmap(far, far_size);
  if (is_json)
    print_json(machine, results);
  else
    print_text(machine, results);
  return holds;
}
#else
Status run(bool) {
  print_error("bench", "this machine is not an x86-64 one");
  return unusable;
}
#endif

} // namespace

Command uplock::add_bench(CLI::App &app) {
  auto is_json = std::make_shared<bool>(false);
  CLI::App *command = app.add_subcommand(
      "bench", "Measure what locked instructions cost on this machine, with "
               "and without their LOCK prefixes");
  command->add_flag("--json", *is_json, "write JSON");
  command->footer("On a machine that does nothing else: it takes a second.");
  return [is_json] { return run(*is_json); };
}
