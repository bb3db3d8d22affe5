// SPDX-License-Identifier: MIT
//
// Can there be only one CPU, and what does the user say?

#ifndef UPLOCK_DECISION_H
#define UPLOCK_DECISION_H

#include "line.h"
#include "reason.h"
#include "uplock.h"

namespace uplock {

struct Decision {
  uplock_mode mode;
  Reason reason;
};

// What UPLOCK says, or else what the kernel says of the machine's CPUs. Prints
// a line if UPLOCK cannot be understood.
Decision decide(const StandardError &standard_error);

// Does UPLOCK_LOG ask for a line a module?
bool is_logged();

} // namespace uplock

#endif
