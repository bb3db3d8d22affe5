// SPDX-License-Identifier: MIT
//
// A control: what if a NOP took the place of the LOCK prefix? A thread is run
// step by step, and held as soon as it stands between the byte that was written
// and the rest of the instruction, or, as there is no such place with a prefix,
// in front of the instruction. Then the locks are put back, and it goes on.
//
//   90       nop              <- it has executed this, and stands
//   ff 07    incl (%rdi)      <- here
//
//   f0 ff 07 lock incl (%rdi) its next instruction is in the middle of this
//   one,
//                             and has no lock
//
// A prefix is a part of the instruction; no thread is ever behind it.

#include "machine.h"
#include "main.h"
#include "paging.h"
#include "scenarios.h"
#include "serial.h"
#include "sites.h"
#include "threads.h"

#include <atomic>

namespace {

std::atomic<unsigned> count;

[[gnu::noinline]] void increment() { count++; }

void stepped_thread(unsigned) { increment(); }

uintptr_t site;
enum { before, held, resumed } phase;
uintptr_t held_at, next_stop;

// While the filler is in place: is this where the thread is to be held?
bool is_boundary(uintptr_t ip) {
  uint8_t filler = *reinterpret_cast<const uint8_t *>(site);
  return ip == (filler == nop ? site + 1 : site);
}

Frame *stop(Frame *frame) {
  if (phase == before && is_boundary(frame->ip)) {
    phase = held;
    held_at = frame->ip;
    return hold_thread(frame);
  }
  if (phase == held) {
    phase = resumed;
    next_stop = frame->ip;
  }
  return frame;
}

void write(uint8_t byte) {
  open_text_window();
  *in_text_window(reinterpret_cast<uint8_t *>(site)) = byte;
  close_text_window();
  serialize();
}

// Does the thread go on with a locked instruction?
bool goes_on_locked(const char *name, uint8_t filler) {
  phase = before;
  count = 0;
  write(filler);
  Thread *thread = start_thread(stepped_thread, 0, interrupt_flag | trap_flag);
  while (!is_held(thread))
    yield();
  write(lock_prefix);
  release_thread(thread);
  join_threads();

  auto code = reinterpret_cast<const uint8_t *>(held_at);
  print("filler: ", name, ": held at site+", held_at - site,
        "; with the locks back it executes");
  for (const uint8_t *byte = code;
       byte < reinterpret_cast<const uint8_t *>(next_stop); byte++)
    print(" ", Hex{*byte});
  bool locked = *code == lock_prefix;
  print(locked ? ", locked\n" : ", WITHOUT A LOCK\n");
  return locked && count == 1;
}

} // namespace

bool filler() {
  auto begin = reinterpret_cast<uintptr_t>(increment);
  if (running_cpus() != 1 || !count_sites(begin, begin + 16, &site)) {
    print("filler: needs to be alone, and a site to try it at\n");
    return false;
  }
  handle_debug(stop);
  bool prefix = goes_on_locked("prefix", ds_prefix);
  bool no_operation = goes_on_locked("nop", nop);
  handle_debug(nullptr);
  write(ds_prefix);
  return prefix && !no_operation;
}
