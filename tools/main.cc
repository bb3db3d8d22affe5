// SPDX-License-Identifier: GPL-3.0-or-later
//
// The command `uplock`: shows, proves and changes what the plugin wrote into
// binaries.

#include "commands.h"

#include <algorithm>
#include <csignal>
#include <map>
#include <new>

#include "archive.h"
#include "progress.h"

using namespace uplock;

// Of the files named, for who waits.
static struct { size_t done, files; } work;

void uplock::add_files(CLI::App *command, std::vector<std::string> &files) {
  command
      ->add_option("FILE", files,
                   "executables, shared objects, relocatable objects, archives")
      ->required()
      ->type_name("");
}

CLI::Option *uplock::add_repeated(CLI::App *command, const char *name,
                                  std::vector<std::string> &values,
                                  const char *type, const char *help) {
  return command->add_option(name, values, help)
      ->type_name(type)
      ->expected(1)
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeAll)
      ->allow_extra_args(false);
}

Status
uplock::visit_paths(const std::vector<std::string> &files,
                    const std::function<Status(const std::string &)> &visit) {
  Status status = holds;
  work = {0, files.size()};
  for (const std::string &path : files) {
    try {
      if (path == "-")
        throw Unusable("standard input is not supported (a file of this name "
                       "is ./-)");
      status = std::max(status, visit(path));
    } catch (const Unusable &problem) {
      print_error(path, problem.what());
      status = unusable;
    } catch (const std::bad_alloc &) {
      print_error(path, "too large for this machine's memory");
      status = unusable;
    }
    work.done++;
  }
  return status;
}

void uplock::visit_image(const Image &image,
                         const std::function<void(ElfFile &)> &visit) {
  try {
    for_each_elf(image.path, image.bytes, [&](ElfFile &file) {
      double before = file.bytes.data - image.bytes.data;
      show_progress((work.done + before / image.bytes.size) / work.files,
                    file.name);
      visit(file);
    });
  } catch (const Unusable &) {
    if (!image.has_changed())
      throw;
  }
  if (image.has_changed())
    throw Unusable("changed while it was read");
}

Status uplock::visit_files(const std::vector<std::string> &files,
                           const std::function<Status(ElfFile &)> &visit) {
  return visit_paths(files, [&](const std::string &path) {
    Status status = holds;
    bool has_any = false;
    Image image(path);
    visit_image(image, [&](ElfFile &file) {
      has_any = true;
      status = std::max(status, visit(file));
    });
    if (!has_any)
      throw Unusable("an archive without objects");
    return status;
  });
}

static bool is_directory(const std::string &path) {
  struct stat status;
  return !stat(path.c_str(), &status) && S_ISDIR(status.st_mode);
}

CLI::Option *uplock::add_output(CLI::App *command, std::string &output,
                                const char *help) {
  return command->add_option("-o,--output", output, help)
      ->type_name("OUT")
      ->check([](const std::string &name) -> std::string {
        if (name == "-")
          return "standard output is not supported (a file of this name is "
                 "./-)";
        return name.empty() ? "no name" : "";
      });
}

std::string uplock::destination_of(const std::string &file,
                                   const std::string &output) {
  if (!is_directory(output))
    return output;
  return output + (output.back() == '/' ? "" : "/") +
         file.substr(file.rfind('/') + 1);
}

bool uplock::can_hold(const std::string &output,
                      const std::vector<std::string> &files) {
  if (files.size() < 2 || output.empty())
    return true;
  if (!is_directory(output)) {
    print_error(output,
                "not a directory, and there are several files to write");
    return false;
  }
  std::map<std::string, std::string> sources;
  for (const std::string &file : files) {
    std::string destination = destination_of(file, output);
    auto [other, is_new] = sources.emplace(destination, file);
    if (is_new)
      continue;
    print_error(destination, "would be written twice, from " + other->second +
                                 " and from " + file + " (nothing written)");
    return false;
  }
  return true;
}

bool uplock::add_names(NameList &names,
                       const std::vector<std::string> &expressions,
                       const char *option) {
  try {
    for (const std::string &expression : expressions)
      names.add(expression);
    return true;
  } catch (const Unusable &problem) {
    print_error(option, problem.what());
    return false;
  }
}

// Of the words of the command line, the one that stands where a subcommand
// should; null if that is one of NAMES, or there is none.
static const char *wrong_subcommand(int argc, char **argv,
                                    const std::vector<std::string> &names) {
  for (int i = 1; i < argc; i++)
    if (*argv[i] != '-')
      return std::count(names.begin(), names.end(), argv[i]) ? nullptr
                                                             : argv[i];
  return nullptr;
}

static Status run(int argc, char **argv) {
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
  std::vector<std::string> names;
  for (auto add : {add_list, add_check, add_patch, add_scan, add_bench}) {
    Command command = add(app);
    commands.emplace_back(app.get_subcommands({}).back(), command);
    names.push_back(commands.back().first->get_name());
  }

  try {
    app.parse(argc, argv);
  } catch (const CLI::Success &request) {
    app.exit(request); // --help, --version
    return holds;
  } catch (const CLI::ParseError &problem) {
    if (const char *word = wrong_subcommand(argc, argv, names)) {
      print_error(word, "not one of the subcommands " +
                            CLI::detail::join(names, ", ") +
                            " (see uplock --help)");
      return unusable;
    }
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
  return status;
}

int main(int argc, char **argv) {
  elf_version(EV_CURRENT);
  // A limit of a file's size is an error of the write, as a full disk is.
  signal(SIGXFSZ, SIG_IGN);
  Status status = unusable;
  try {
    status = run(argc, argv);
  } catch (const std::bad_alloc &) {
    print_error(argc > 1 ? argv[1] : "start", "not enough memory");
  }
  return finish_output() ? status : unusable;
}
