// SPDX-License-Identifier: GPL-3.0-or-later
//
// A line on the terminal that says how far long work is. It is there between
// two ELF files only, so whatever prints takes it away first (output.cc), and
// nobody sees it who reads a pipe or waits for less than a second.

#ifndef UPLOCK_PROGRESS_H
#define UPLOCK_PROGRESS_H

#include <string>

namespace uplock {

// PART of all work (0 to 1) is done, and next comes NAME.
void show_progress(double part, const std::string &name);
void erase_progress();

} // namespace uplock

#endif
