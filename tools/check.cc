// SPDX-License-Identifier: GPL-3.0-or-later
//
// uplock check: is the table exact, and, where it is asked for, complete?
//
// Complete speaks of the kinds that the file was compiled to cover, as for the
// plugin. Who wrote a LOCK prefix, the compiler or the programmer, cannot be
// seen in it: rmw demands them all, asm statements and code that no plugin saw
// included, but for fences and xchg. Functions that are to stay locked are
// named by --allow.

#include "commands.h"

#include <algorithm>
#include <cstring>
#include <memory>
#include <set>

#include "code.h"
#include "functions.h"
#include "link-time.h"
#include "output.h"
#include "proof.h"
#include "runtime-note.h"
#include "table.h"

using namespace uplock;

namespace {

struct Options {
  std::vector<std::string> files, cover, allow, allow_files;
  bool is_complete = false, is_quiet = false;
};

std::set<Kind> kinds_of(const std::vector<std::string> &cover) {
  std::set<Kind> kinds;
  for (const std::string &word : cover) {
    bool is_all = word == "all";
    if (is_all || word == "rmw" || word == "asm" || word == "exchange")
      kinds.insert(Kind::lock);
    if (is_all || word == "fence")
      kinds.insert({Kind::fence, Kind::mfence});
    if (is_all || word == "store" || word == "exchange")
      kinds.insert(Kind::xchg);
  }
  return kinds;
}

std::string summary_of(const Proof &proof, const Table &table) {
  if (!table.exists)
    return "no table";
  std::string text = count(proof.sites.size(), "site");
  if (proof.sites.empty())
    return text;
  const char *separator = " (";
  for (Cover kind : {Cover::rmw, Cover::fence, Cover::store, Cover::exchange}) {
    size_t number =
        std::count_if(proof.sites.begin(), proof.sites.end(),
                      [kind](auto &site) { return site.kind == kind; });
    if (number) {
      text += separator + std::to_string(number) + " " + in_words(kind);
      separator = ", ";
    }
  }
  text += ")";
  size_t up = proof.up_count();
  if (!up || up == proof.sites.size())
    text += up ? ", UP" : ", SMP";
  return text;
}

// An object of -flto without code of its own.
bool is_for_link_time(const ElfFile &file) {
  bool has_code = false, has_bytecode = false;
  for (const Section &section : file.sections()) {
    has_code |= section.is_code();
    has_bytecode |= !strncmp(section.name, ".gnu.lto_", 9);
  }
  return has_bytecode && !has_code;
}

Status check(ElfFile &file, const Options &options, const NameList &allowed) {
  Functions functions(file);
  Code code(file, functions);
  Table table = read_table(file);
  code.locked();
  Proof proof(file, functions, code, table);
  std::vector<std::string> findings = std::move(proof.findings);

  auto demanded = kinds_of(options.cover);
  size_t without_entry = 0, excused = 0;
  std::vector<Place> missing;
  for (const Locked &locked : code.locked()) {
    if (proof.is_site(locked.place) || proof.switched.count(locked.place))
      continue;
    if (!demanded.count(locked.kind))
      continue;
    without_entry++;
    if (allowed.has(functions.name_at(locked.place)))
      excused++;
    else
      missing.push_back(locked.place);
  }
  size_t up = proof.up_count();
  if (up && up != proof.sites.size())
    findings.push_back(std::to_string(up) + " of " +
                       count(proof.sites.size(), "site") +
                       " are in UP mode, the others in SMP mode");
  auto note = find_runtime_note(file);
  if (up && note && !note->says_up)
    findings.push_back(
        "it was linked of objects for one CPU, and the runtime in "
        "it takes it for locked: link it of locked objects, and "
        "patch the result");
  if (options.is_complete)
    for (Place place : missing)
      findings.push_back(proof.describe(place) + ": not in the table");
  for (std::string &finding : find_link_without_plugin(file, table, missing))
    findings.push_back(std::move(finding));

  std::string summary = summary_of(proof, table);
  summary += ", " + std::to_string(without_entry) + " without an entry";
  if (excused)
    summary += " (" + std::to_string(excused) + " allowed)";
  if (code.undecodable())
    summary += ", " + count(code.undecodable(), "byte") + " of no instruction";
  if (is_for_link_time(file))
    summary += ", code is generated at the link (-flto)";
  if (table.exists && !table.is_loaded)
    summary += ", table not loaded";
  if (findings.empty())
    summary += options.is_complete ? ": complete and exact" : ": exact";
  else
    summary += ": DOES NOT HOLD, " + count(findings.size(), "finding");

  for (const std::string &finding : findings)
    print_line(file.name + ": " + finding);
  if (!options.is_quiet || !findings.empty())
    print_line(file.name + ": " + summary);
  return findings.empty() ? holds : does_not_hold;
}

Status run(const Options &options) {
  NameList allowed;
  auto add_file = [&](const std::string &path) {
    allowed.add_file(path);
    return holds;
  };
  if (!add_names(allowed, options.allow, "--allow") ||
      visit_paths(options.allow_files, add_file) != holds)
    return unusable;
  return visit_files(options.files, [&](ElfFile &file) {
    return check(file, options, allowed);
  });
}

} // namespace

Command uplock::add_check(CLI::App &app) {
  auto options = std::make_shared<Options>();
  options->cover = {"rmw"};
  CLI::App *command = app.add_subcommand(
      "check", "Decode all code and prove that the table is exact: each entry "
               "at the first byte of a locked instruction, none twice, all in "
               "one mode");
  CLI::Option *complete = command->add_flag(
      "--complete", options->is_complete,
      "demand that no locked instruction is without an entry");
  command
      ->add_option("--cover", options->cover,
                   "the kinds that must be complete, as for the plugin: rmw "
                   "(default), fence, store, exchange, asm, all")
      ->type_name("LIST")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(
          CLI::IsMember({"rmw", "fence", "store", "exchange", "asm", "all"}));
  add_repeated(command, "--allow", options->allow, "REGEX",
               "functions that may have locked instructions without an entry: "
               "an extended regular expression for the whole name, mangled or "
               "not")
      ->needs(complete);
  add_repeated(command, "--allow-file", options->allow_files, "PATH",
               "a file of such expressions, one a line, # for comments")
      ->needs(complete);
  command->add_flag("-q,--quiet", options->is_quiet, "print findings only");
  add_files(command, options->files);
  command->footer("Exit status: 0 the table holds, 1 it does not, 2 a file "
                  "cannot be judged.");
  return [options] { return run(*options); };
}
