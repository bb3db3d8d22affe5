// SPDX-License-Identifier: GPL-3.0-or-later
//
// uplock patch: write a file for one CPU, or for many again.
//
// A table that does not hold is a reason not to write at all. What is written
// are bytes of the file and nothing else, one for each site and one that tells
// the runtime, if there is one: no section moves, the way back gives the same
// file. Only the pieces of code that have sites are decoded.

#include "commands.h"

#include <memory>

#include "code.h"
#include "functions.h"
#include "proof.h"
#include "replacement.h"
#include "runtime-note.h"
#include "signature.h"
#include "table.h"

using namespace uplock;

namespace {

struct Options {
  std::vector<std::string> files;
  std::string output;
  bool to_up = false, to_smp = false, keeps_time = false, is_quiet = false;
};

// What is to be changed in an image: of all members, if it is an archive.
struct Plan {
  std::vector<Change> changes;
  size_t sites = 0, changed = 0, tables = 0;
  std::vector<RuntimeNote> notes; // by offset in the image
  Status status = holds;
};

void plan(ElfFile &file, const Image &image, bool to_up, Plan &plan) {
  Table table = read_table(file);
  uint64_t member = file.bytes.data - image.bytes.data;
  if (auto note = find_runtime_note(file))
    plan.notes.push_back({member + note->offset, note->says_up});
  if (!table.exists)
    return;
  std::string signature = signature_in(file);
  if (!signature.empty())
    throw Unusable(signature + " (nothing written)");

  Functions functions(file);
  Code code(file, functions);
  Proof proof(file, functions, code, table);
  if (!proof.findings.empty()) {
    for (const std::string &finding : proof.findings)
      print_line(file.name + ": " + finding);
    plan.status = does_not_hold;
    return;
  }
  plan.tables++;
  plan.sites += proof.sites.size();
  for (const Site &site : proof.sites)
    if (site.patch.is_up != to_up) {
      const Section &section = file.sections()[site.place.section];
      plan.changes.push_back(
          {member + section.offset + site.place.offset + site.patch.offset,
           to_up ? site.patch.up : site.patch.smp});
      plan.changed++;
    }
}

Status patch(const std::string &path, const Options &options) {
  Image image(path);
  Replacement how;
  if (!options.output.empty())
    how.destination = destination_of(path, options.output);
  how.keeps_time = options.keeps_time;
  if (how.destination.empty()) {
    std::string signature = signature_of(path);
    if (!signature.empty())
      throw Unusable(signature + " (nothing written)");
  }

  Plan plan;
  visit_image(image,
              [&](ElfFile &file) { ::plan(file, image, options.to_up, plan); });
  if (plan.status != holds) {
    print_error(path, "its table does not hold (nothing written)");
    return plan.status;
  }
  if (!plan.tables)
    throw Unusable("has no table .smp_locks: compile it with the plugin, "
                   "or give it one with uplock scan");
  // An archive's runtime is in another member than the code.
  for (const RuntimeNote &note : plan.notes)
    if (note.says_up != options.to_up && plan.sites)
      plan.changes.push_back({note.offset, options.to_up});

  if (!how.destination.empty() || !plan.changes.empty())
    replace(image, image.bytes, plan.changes, how);

  if (options.is_quiet)
    return holds;
  const char *mode = options.to_up ? "UP" : "SMP";
  std::string line = path;
  if (!how.destination.empty())
    line += " -> " + how.destination;
  print_line(line + ": " + mode + ", " + count(plan.sites, "site") + ", " +
             std::to_string(plan.changed) + " changed");
  if (options.to_up && !plan.notes.empty())
    print_line(line +
               ": note: on a machine with several CPUs the runtime in it locks "
               "it again, but not before its own start");
  return holds;
}

Status run(const Options &options) {
  if (!options.to_up && !options.to_smp) {
    print_error("patch options",
                "--up or --smp is required (see uplock patch --help)");
    return unusable;
  }
  if (!can_hold(options.output, options.files))
    return unusable;
  return visit_paths(options.files, [&](const std::string &path) {
    return patch(path, options);
  });
}

} // namespace

Command uplock::add_patch(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand(
      "patch",
      "Write files with every site of the table unlocked (UP) or locked "
      "(SMP)");
  auto *up = command->add_flag("--up", options->to_up,
                               "unlock: for machines with one CPU");
  command->add_flag("--smp", options->to_smp, "lock again: as it was linked")
      ->excludes(up);
  add_output(command, options->output,
             "write to this file, or into this directory (default: in place, "
             "by a temporary file and a rename)");
  command->add_flag("--preserve-times", options->keeps_time,
                    "keep the time of the last change");
  command->add_flag("-q,--quiet", options->is_quiet,
                    "print only what does not hold");
  add_files(command, options->files);
  command->footer(
      "In place the mode, the owner and the extended attributes are kept. A "
      "file that is signed, or whose table does not hold, is not written.\n\n"
      "Exit status: 0 written, 1 a table does not hold, 2 a file cannot be "
      "used.");
  return [options] { return run(*options); };
}
