// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which byte of an instruction makes the difference between many CPUs (SMP) and
// one (UP), and what it is in each: the rules of runtime/uplock.cc, which is
// the reference, written a second time, because they are proven here: both
// forms are decoded.

#ifndef UPLOCK_SITE_H
#define UPLOCK_SITE_H

#include <cstddef>
#include <cstdint>
#include <string>

#include "decoder.h"

namespace uplock {

// lock: f0 or a segment override. store: xchg or mov. exchange: test or jmp.
enum class Form : uint8_t { lock, store, exchange };

struct Patch {
  Form form;
  bool is_up;    // as it stands
  size_t offset; // of the byte, from the instruction's first
  uint8_t smp, up;
};

// What the instruction at CODE would be as a site. SIZE bytes can be read.
// Returns "" and fills in PATCH and SMP, the decoded instruction in SMP mode;
// or says why it cannot be one: "has no LOCK prefix".
std::string read_site(const Decoder &decoder, bool is_64_bit,
                      const uint8_t *code, size_t size, Patch &patch,
                      Instruction &smp);

} // namespace uplock

#endif
