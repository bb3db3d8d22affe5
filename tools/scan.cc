// SPDX-License-Identifier: GPL-3.0-or-later
//
// uplock scan: give tables to objects that no plugin has seen: other
// compilers', assembly, a distribution's static libraries.
//
// The plugin knows what an instruction is because it wrote it. Here it must be
// proven (function-proof.h, linked-proof.h), and where it is not, a function is
// left locked and named. Only what has a LOCK prefix is taken: whether an
// xchg's result is read cannot be seen in it.

#include "commands.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <set>

#include "archive.h"
#include "functions.h"
#include "function-proof.h"
#include "linked-proof.h"
#include "linked-table-writer.h"
#include "proof.h"
#include "replacement.h"
#include "signature.h"
#include "site.h"
#include "table-writer.h"
#include "table.h"

using namespace uplock;

namespace {

struct Options {
  std::vector<std::string> files, functions, cover = {"rmw"};
  std::string output;
  bool is_quiet = false;
};

struct Counts {
  size_t functions = 0, locks = 0, covered = 0;
  std::vector<std::string> with_table; // already
};

std::vector<uint8_t>
with_table(const ElfFile &file,
           const std::map<size_t, std::vector<uint64_t>> &sites) {
  if (file.is_relocatable())
    return add_tables(file, sites);
  std::vector<uint64_t> addresses;
  for (auto &[section, offsets] : sites)
    for (uint64_t offset : offsets)
      addresses.push_back(file.sections()[section].address + offset);
  std::sort(addresses.begin(), addresses.end());
  return add_linked_table(file, addresses);
}

// What check reads: what it cannot use is Unusable here too.
struct Checked {
  explicit Checked(const ElfFile &file)
      : functions(file), code(file, functions),
        proof(file, functions, code, read_table(file)) {}

  Functions functions;
  Code code;
  Proof proof;
};

// The new content of FILE; none if it gets no table.
std::vector<uint8_t> scan(const ElfFile &file, const std::set<Kind> &wanted,
                          const NameList &names, Counts &counts) {
  std::string signature = signature_in(file);
  if (!signature.empty())
    throw Unusable(signature);
  Checked{file};
  std::map<size_t, std::vector<uint64_t>> sites;
  std::vector<ProvenFunction> functions = file.is_relocatable()
                                              ? prove_functions(file)
                                              : prove_linked_functions(file);
  bool has_locks = std::any_of(functions.begin(), functions.end(),
                               [](auto &f) { return !f.locks.empty(); });
  if (has_locks && file.is_relocatable() && !file.has_symbols())
    throw Unusable("has no symbols: give it as it was compiled");
  if (read_table(file).exists) {
    if (has_locks)
      counts.with_table.push_back(file.name);
    return {};
  }

  Decoder decoder(file.is_64_bit_code());
  for (ProvenFunction &function : functions) {
    if (!names.empty() && !names.has(function.name))
      continue;
    size_t locks = 0, covered = 0;
    for (const Locked &locked : function.locks) {
      if (!wanted.count(locked.kind))
        continue;
      locks++;
      const Section &section = file.sections()[locked.place.section];
      Patch patch;
      Instruction smp;
      std::string wrong =
          read_site(decoder, file.is_64_bit_code(),
                    section.bytes.data + locked.place.offset,
                    section.bytes.size - locked.place.offset, patch, smp);
      if (!wrong.empty())
        function.refusal =
            "the instruction at " + file.describe(locked.place) + " " + wrong;
      if (!function.refusal.empty())
        continue;
      sites[locked.place.section].push_back(locked.place.offset);
      covered++;
    }
    if (!locks)
      continue;
    counts.functions++;
    counts.locks += locks;
    counts.covered += covered;
    if (covered < locks)
      print_line(file.name + ": " +
                 (function.name.empty() ? "?" : demangle(function.name)) +
                 ": " + count(locks - covered, "lock") +
                 " left: " + function.refusal);
  }
  if (sites.empty())
    return {};
  for (auto &[section, offsets] : sites)
    std::sort(offsets.begin(), offsets.end());
  std::vector<uint8_t> result = with_table(file, sites);

  // What was written is read again, and proven.
  ElfFile written(file.name, {result.data(), result.size()});
  Checked checked(written);
  const Proof &proof = checked.proof;
  size_t expected = 0;
  for (auto &[section, offsets] : sites)
    expected += offsets.size();
  if (!proof.findings.empty() || proof.sites.size() != expected)
    throw Unusable("the table would not hold" +
                   (proof.findings.empty() ? std::string()
                                           : ": " + proof.findings.front()));
  return result;
}

Status scan_path(const std::string &path, const Options &options,
                 const std::set<Kind> &wanted, const NameList &names) {
  Image image(path);
  Counts counts;
  std::map<uint64_t, std::vector<uint8_t>> changed; // by offset of the member
  visit_image(image, [&](ElfFile &file) {
    std::vector<uint8_t> content = scan(file, wanted, names, counts);
    if (!content.empty())
      changed[file.bytes.data - image.bytes.data] = std::move(content);
  });
  std::vector<uint8_t> result = with_members(image.bytes, changed);
  Replacement how;
  how.destination = destination_of(path, options.output);
  replace(image, {result.data(), result.size()}, {}, how);
  const std::string arrow = " -> " + how.destination + ": ";
  for (const std::string &name : counts.with_table)
    print_line(name + (name == path ? arrow : ": ") +
               "has a table already: left as it is");
  bool is_said =
      !counts.with_table.empty() && counts.with_table.front() == path;
  if (options.is_quiet || is_said)
    return holds;
  print_line(path + arrow + count(counts.functions, "function") + " with " +
             count(counts.locks, "lock") + ": " +
             std::to_string(counts.covered) + " covered, " +
             std::to_string(counts.locks - counts.covered) + " left");
  return holds;
}

Status run(const Options &options) {
  NameList names;
  if (!can_hold(options.output, options.files) ||
      !add_names(names, options.functions, "--function"))
    return unusable;
  std::set<Kind> wanted;
  for (const std::string &word : options.cover)
    wanted.insert(word == "rmw" ? Kind::lock : Kind::fence);
  return visit_paths(options.files, [&](const std::string &path) {
    return scan_path(path, options, wanted, names);
  });
}

} // namespace

Command uplock::add_scan(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand(
      "scan", "Write objects, archives and linked files with a table for the "
              "locked instructions in them, where they can be proven to be "
              "such");
  add_output(command, options->output,
             "write to this file, or into this directory")
      ->required();
  add_repeated(command, "--function", options->functions, "REGEX",
               "only in functions of these names: an extended regular "
               "expression for the whole name, mangled or not");
  command
      ->add_option("--cover", options->cover,
                   "the kinds to take, as for the plugin: rmw (default), fence")
      ->type_name("LIST")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"rmw", "fence"}));
  command->add_flag("-q,--quiet", options->is_quiet, "print only what is left");
  add_files(command, options->files);
  command->footer(
      "A function passes if each of its bytes belongs to an instruction, and "
      "each branch, symbol and relocation that leads into it leads to the "
      "beginning of one. One that does not is named, with the reason, and left "
      "as it is.\n\n"
      "Exit status: 0 written, 2 a file cannot be used.");
  return [options] { return run(*options); };
}
