// SPDX-License-Identifier: MIT
//
// The hosted part's logic: each module starts itself, in the mode that is in
// force or else by a decision of its own, and any of them switches all.
//
// A module is started by the first of its own constructors (.init_array, of the
// highest priority), when libc can be used. Other modules' constructors may
// have run before and started threads: that does no harm. They run locked code
// until it is patched, and each instruction can be patched while it runs.
// .preinit_array would come before all, but linkers refuse it in a shared
// library, and musl ignores it.

#include "uplock-process.h"
#include "decision.h"
#include "elf-image.h"
#include "line.h"
#include "registry.h"
#include "system-call.h"
#include "table.h"
#include "text.h"

#include <linux/membarrier.h>
#include <sys/mman.h>

namespace uplock {
namespace {

// Found when it is first needed, and kept: the way back must not depend on a
// file that can be opened.
Table table;
bool is_table_known = false;

// As the loader knows this module; null for the executable.
const char *own_path;

// How many instructions have been unlocked and not locked again.
size_t unlocked = 0;

// In the middle of patch(). A process that another thread forks off meanwhile
// inherits it, with a text that is half patched and `unlocked` as it was
// before: there the next patch() finds it true, and counts anew.
bool is_patching = false;

// A file that is unlocked counts as such until a walk to SMP misses nothing.
bool is_as_in_file = true;

int write_text(void *writer, uint8_t *byte, uint8_t value) {
  static_cast<TextWriter *>(writer)->write(byte, value);
  return 1;
}

void add(uplock_counts &sum, const uplock_counts &counts) {
  sum.sites += counts.sites;
  sum.changed += counts.changed;
  sum.already += counts.already;
  sum.mismatched += counts.mismatched;
  sum.refused += counts.refused;
  sum.locks += counts.locks;
  sum.stores += counts.stores;
  sum.exchanges += counts.exchanges;
}

// Walks over the table, once for each executable segment: what a segment has
// not, is mismatched there. One that is executable only cannot be looked at
// where processors have memory protection keys.
uplock_counts apply(uplock_mode mode, size_t &segments) {
  Image image = own_image();
  uplock_counts sum{};
  segments = 0;
  for (const Segment &segment : image) {
    if (segment.p_type != PT_LOAD || !(segment.p_flags & PF_X) ||
        !(segment.p_flags & PF_R))
      continue;
    TextWriter writer(PROT_READ | PROT_EXEC |
                      (segment.p_flags & PF_W ? PROT_WRITE : 0));
    uplock_text text{image.at(segment.p_vaddr),
                     image.at(segment.p_vaddr + segment.p_memsz), write_text,
                     &writer};
    uplock_counts counts = uplock_apply(table.begin, table.end, &text, mode);
    writer.flush();

    counts.changed -= writer.refused();
    counts.refused = writer.refused();
    add(sum, counts);
    segments++;
  }
  sum.sites = segments ? sum.sites / segments : 0;
  sum.mismatched = sum.sites - sum.changed - sum.already - sum.refused;
  return sum;
}

// Every CPU that runs a thread of this process has run a serialising
// instruction when this returns. Where the kernel cannot do it, the way to
// another CPU is what serialises: a thread gets there through a context switch.
void serialise_cpus() {
  memory_barrier(MEMBARRIER_CMD_REGISTER_PRIVATE_EXPEDITED_SYNC_CORE);
  memory_barrier(MEMBARRIER_CMD_PRIVATE_EXPEDITED_SYNC_CORE);
}

// The record says UP as long as a single instruction may be unlocked, also to a
// process that is forked off meanwhile.
void patch(uplock_mode mode) {
  Record &own = own_record;
  if (mode == UPLOCK_UP)
    own.mode = UPLOCK_UP;

  bool was_patching = is_patching;
  is_patching = true;
  size_t segments;
  own.counts = apply(mode, segments);
  const uplock_counts &counts = own.counts;
  if (was_patching)
    unlocked = mode == UPLOCK_UP ? counts.already : counts.changed;
  if (mode == UPLOCK_UP)
    unlocked += counts.changed;
  else
    unlocked -= counts.changed < unlocked ? counts.changed : unlocked;
  is_patching = false;

  // Is there more that is unlocked than the walk has found?
  bool is_missed = unlocked;
  if (is_as_in_file && is_unlocked_in_file())
    is_missed |= !segments || counts.mismatched;

  if (!segments)
    own.reason = Reason::no_text;
  if (counts.refused)
    own.reason = Reason::not_writable;

  if (mode == UPLOCK_UP) {
    own.mode = is_missed || counts.already ? UPLOCK_UP : UPLOCK_SMP;
    return;
  }
  if (counts.changed)
    serialise_cpus();
  if (is_missed && segments && !counts.refused)
    own.reason = Reason::not_found_again;
  is_as_in_file &= is_missed || counts.refused;
  own.mode = is_missed || counts.refused ? UPLOCK_UP : UPLOCK_SMP;
}

void want(const Decision &decision) {
  own_record.wanted = decision.mode;
  own_record.wanted_because = own_record.reason = decision.reason;
}

void switch_to(uplock_mode mode, Reason reason) {
  uint64_t start = monotonic_nanoseconds();
  Record &own = own_record;
  want({mode, reason});
  own.counts = {};
  Reason problem = Reason::none;
  // Nobody could lock again what the others do not find: it is not unlocked. If
  // that is for want of its note, its file may have been, and it is locked.
  bool is_listed = is_table_known || find_own_path(own_path);
  if (!is_listed)
    mode = UPLOCK_SMP;
  if (!is_table_known)
    problem = is_listed || is_note_removed() ? find_table(own_path, table)
                                             : Reason::not_listed;
  if (problem == Reason::none) {
    is_table_known = is_listed;
    patch(mode);
    if (!is_listed && own.wanted == UPLOCK_UP && own.mode == UPLOCK_SMP)
      own.reason = Reason::not_listed;
  } else {
    own.reason = problem;
    own.mode = is_unlocked_in_file() ? UPLOCK_UP : UPLOCK_SMP;
  }
  own.nanoseconds = monotonic_nanoseconds() - start;
}

void print_status() {
  const Record &own = own_record;
  const uplock_counts &counts = own.counts;
  Line line;
  line << (own_path ? own_path : executable_path()) << ": "
       << (own.mode == UPLOCK_UP ? "UP" : "SMP") << " (" << in_words(own.reason)
       << "), " << uint64_t{counts.sites}
       << (counts.sites == 1 ? " site" : " sites");
  if (counts.stores || counts.exchanges)
    line << " (" << uint64_t{counts.locks} << " lock, "
         << uint64_t{counts.stores} << " store, " << uint64_t{counts.exchanges}
         << " exchange)";
  line << ", " << uint64_t{counts.changed} << " changed, "
       << uint64_t{counts.mismatched} << " mismatched, ";
  if (counts.refused)
    line << uint64_t{counts.refused} << " refused, ";
  line << own.nanoseconds / 1000 << " us";
  line.print(own.standard_error);
}

// A file that was patched for one CPU, where there may be several.
void warn_unlocked() {
  Line line;
  line << (own_path ? own_path : executable_path())
       << ": unlocked in the file, and cannot be locked again ("
       << in_words(own_record.reason)
       << "): keep it on one CPU, where no update gets lost";
  line.print(own_record.standard_error);
}

void start() {
  locked([](Record &first) {
    if (!first.standard_error.is_known)
      first.standard_error = inherited_standard_error();
    own_record.standard_error = first.standard_error;
    // The first module tells the mode in force, whether or not it has started
    // itself; only if it was loaded later than others (theirs is a namespace of
    // dlmopen's, which the list has behind) one of them does.
    const Record *leader = &first;
    if (first.wanted == not_decided)
      visit_modules([&](Record &record, const char *) {
        if (record.wanted != not_decided)
          leader = &record;
      });
    Decision decision{uplock_mode(leader->wanted), leader->wanted_because};
    if (leader->wanted == not_decided)
      decision = decide(first.standard_error);
    first.wanted = decision.mode;
    first.wanted_because = decision.reason;
    want(decision);

    // Everything is locked as linked: there is nothing to do, but to count.
    bool is_unlocked = is_unlocked_in_file();
    if (decision.mode == UPLOCK_SMP && !is_unlocked && !is_note_removed() &&
        !is_logged())
      return;
    if (is_unlocked)
      own_record.mode = UPLOCK_UP;
    switch_to(decision.mode, decision.reason);
    if (is_logged())
      print_status();
    if (decision.mode == UPLOCK_SMP && own_record.mode == UPLOCK_UP)
      warn_unlocked();
  });
}

// Of all modules: UP if any is, and the reason is what stood in any's way. This
// one is known also if the others do not find it.
uplock_status sum_up() {
  uplock_status status{};
  Reason reason = own_record.wanted_because;
  bool has_own = false;
  auto add_module = [&](Record &record, const char *) {
    has_own |= &record == &own_record;
    if (record.mode == UPLOCK_UP)
      status.mode = UPLOCK_UP;
    bool is_silent = !is_started(record) && record.mode == UPLOCK_SMP;
    if (!is_silent && record.reason != record.wanted_because &&
        record.reason != Reason::no_table)
      reason = record.reason;
    add(status.counts, record.counts);
    status.nanoseconds += record.nanoseconds;
  };
  visit_modules(add_module);
  if (!has_own)
    add_module(own_record, nullptr);
  status.reason = in_words(reason);
  return status;
}

} // namespace

Record own_record{sizeof own_record,
                  not_decided,
                  Reason::not_started,
                  UPLOCK_SMP,
                  Reason::not_started,
                  switch_to,
                  0,
                  {},
                  {}};

} // namespace uplock

using namespace uplock;

extern "C" {

// The name by which the link asks for this file (-Wl,-u in uplock.pc): nothing
// else in a program refers to it.
extern void (*const uplock_process_start)();

[[gnu::section(".init_array.00000"),
  gnu::used]] void (*const uplock_process_start)() = start;

uplock_status uplock_process_status(void) {
  uplock_status status;
  locked([&](Record &) { status = sum_up(); });
  return status;
}

uplock_status uplock_process_switch(uplock_mode mode) {
  uplock_status status;
  mode = mode == UPLOCK_UP ? UPLOCK_UP : UPLOCK_SMP;
  locked([&](Record &) {
    visit_modules([&](Record &record, const char *) {
      // Those that another thread is just loading are as their file is, and
      // follow when they start.
      record.wanted = mode;
      record.wanted_because = Reason::called;
      if (is_started(record))
        record.switch_to(mode, Reason::called);
    });
    status = sum_up();
  });
  return status;
}

size_t uplock_process_modules(uplock_module *modules, size_t capacity) {
  size_t count = 0;
  locked([&](Record &) {
    visit_modules([&](Record &record, const char *path) {
      if (count < capacity)
        modules[count] = {path ? path : executable_path(),
                          uplock_mode(record.mode), in_words(record.reason),
                          record.counts, record.nanoseconds};
      count++;
    });
  });
  return count;
}
}
