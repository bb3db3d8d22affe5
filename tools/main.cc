// SPDX-License-Identifier: GPL-3.0-or-later
//
// The command `uplock`: shows, proves and changes what the plugin wrote into
// binaries.

#include "commands.h"

#include <algorithm>
#include <new>

#include "archive.h"

using namespace uplock;

void uplock::add_files(CLI::App *command, std::vector<std::string> &files) {
  command
      ->add_option("FILE", files,
                   "executables, shared objects, relocatable objects, archives")
      ->required()
      ->type_name("");
}

Status
uplock::visit_paths(const std::vector<std::string> &files,
                    const std::function<Status(const std::string &)> &visit) {
  Status status = holds;
  for (const std::string &path : files) {
    try {
      status = std::max(status, visit(path));
    } catch (const Unusable &problem) {
      print_error(path, problem.what());
      status = unusable;
    } catch (const std::bad_alloc &) {
      print_error(path, "too large for this machine's memory");
      status = unusable;
    }
  }
  return status;
}

Status uplock::visit_files(const std::vector<std::string> &files,
                           const std::function<Status(ElfFile &)> &visit) {
  return visit_paths(files, [&](const std::string &path) {
    Status status = holds;
    Image image(path);
    for_each_elf(image.path, image.bytes, [&](ElfFile &file) {
      status = std::max(status, visit(file));
    });
    return status;
  });
}

int main(int argc, char **argv) {
  elf_version(EV_CURRENT);
  CLI::App app("Show, prove and change the tables of locked instructions that "
               "uplock.so wrote",
               "uplock");
  app.set_version_flag("--version", "uplock " UPLOCK_VERSION);
  app.require_subcommand(1);
  app.set_help_all_flag("--help-all", "Print the help of all subcommands");
  app.footer(
      "Exit status: 0 all is well, 1 something does not hold, 2 a file or "
      "an option cannot be used.");

  std::vector<std::pair<CLI::App *, Command>> commands;
  for (auto add : {add_list, add_check, add_patch, add_scan, add_bench}) {
    Command command = add(app);
    commands.emplace_back(app.get_subcommands({}).back(), command);
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &request) {
    return app.exit(request); // --help, --version
  } catch (const CLI::ParseError &problem) {
    auto chosen = app.get_subcommands();
    std::string name = chosen.empty() ? "" : chosen.front()->get_name() + " ";
    print_error(name + "options", std::string(problem.what()) +
                                      " (see uplock " + name + "--help)");
    return unusable;
  }

  Status status = holds;
  for (auto &[app, command] : commands)
    if (app->parsed())
      status = command();
  return finish_output() ? status : unusable;
}
