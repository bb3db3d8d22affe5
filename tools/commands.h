// SPDX-License-Identifier: GPL-3.0-or-later
//
// The subcommands. Each adds its options to the command line, and what is to be
// called if it is chosen, which returns the exit status.

#ifndef UPLOCK_COMMANDS_H
#define UPLOCK_COMMANDS_H

#include <functional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "elf-file.h"
#include "output.h"

namespace uplock {

using Command = std::function<Status()>;

Command add_check(CLI::App &app);

// Visits each ELF file in FILES, archives' members included. What cannot be
// used is printed, and the others are visited all the same.
Status visit_files(const std::vector<std::string> &files,
                   const std::function<Status(ElfFile &)> &visit);

// FILE... of a subcommand.
void add_files(CLI::App *command, std::vector<std::string> &files);

} // namespace uplock

#endif
