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
#include "name-list.h"
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
// Visits the ELF files in IMAGE: itself, or an archive's members. Throws
// Unusable: also if the file has changed meanwhile.
void visit_image(const Image &image,
                 const std::function<void(ElfFile &)> &visit);
// The same for all ELF files in FILES.
Status visit_files(const std::vector<std::string> &files,
                   const std::function<Status(ElfFile &)> &visit);

// FILE... of a subcommand.
void add_files(CLI::App *command, std::vector<std::string> &files);
// An option that is given once for each of VALUES. What is behind its value is
// a file.
CLI::Option *add_repeated(CLI::App *command, const char *name,
                          std::vector<std::string> &values, const char *type,
                          const char *help);

// -o OUT of a subcommand.
CLI::Option *add_output(CLI::App *command, std::string &output,
                        const char *help);
// Where `-o OUTPUT` puts FILE: there, or into that directory.
std::string destination_of(const std::string &file, const std::string &output);
// Can OUTPUT, if one is named, take all of FILES, each under a name of its own?
// If not, an error is printed.
bool can_hold(const std::string &output, const std::vector<std::string> &files);

// Adds what OPTION was given to NAMES. False: an error was printed.
bool add_names(NameList &names, const std::vector<std::string> &expressions,
               const char *option);

} // namespace uplock

#endif
