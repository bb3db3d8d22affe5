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

Command add_list(CLI::App &app);
Command add_check(CLI::App &app);
Command add_patch(CLI::App &app);
Command add_scan(CLI::App &app);
Command add_bench(CLI::App &app);

// Visits each of FILES. Those that cannot be used (Unusable) are said, and the
// others are visited all the same. Returns the worst of what VISIT returns.
Status visit_paths(const std::vector<std::string> &files,
                   const std::function<Status(const std::string &)> &visit);
// The same for the ELF files in them, archives' members included.
Status visit_files(const std::vector<std::string> &files,
                   const std::function<Status(ElfFile &)> &visit);

// FILE... of a subcommand.
void add_files(CLI::App *command, std::vector<std::string> &files);

} // namespace uplock

#endif
