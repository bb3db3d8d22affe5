// SPDX-License-Identifier: MIT
//
// Why a module is in its mode: the decision, or what stood in its way. A number
// and not a text, because texts go when the module is closed that has them.

#ifndef UPLOCK_REASON_H
#define UPLOCK_REASON_H

#include <stdint.h>

namespace uplock {

// Known to copies of other releases: only ever added to.
enum class Reason : int32_t {
  none,
  not_started,
  one_cpu,
  several_cpus,
  unknown_cpus,
  asked_up,
  asked_smp,
  called,
  not_listed,
  no_text,
  no_file,
  other_file,
  no_sections,
  no_table,
  not_writable,
  not_found_again,
};

inline const char *in_words(Reason reason) {
  switch (reason) {
  case Reason::none:
    return "no reason";
  case Reason::not_started:
    return "not started";
  case Reason::one_cpu:
    return "one possible CPU";
  case Reason::several_cpus:
    return "several possible CPUs";
  case Reason::unknown_cpus:
    return "possible CPUs unknown";
  case Reason::asked_up:
    return "UPLOCK=up";
  case Reason::asked_smp:
    return "UPLOCK=smp";
  case Reason::called:
    return "uplock_process_switch";
  case Reason::not_listed:
    return "not among the modules that the loader lists";
  case Reason::no_text:
    return "no executable segment that can be read";
  case Reason::no_file:
    return "the file cannot be opened";
  case Reason::other_file:
    return "the file is another by now";
  case Reason::no_sections:
    return "the file has no section headers";
  case Reason::no_table:
    return "no .smp_locks in the file";
  case Reason::not_writable:
    return "text cannot be written";
  case Reason::not_found_again:
    return "an unlocked instruction has been overwritten";
  }
  return "unknown to this release";
}

} // namespace uplock

#endif
