// SPDX-License-Identifier: GPL-3.0-or-later
//
// uplock list: what is in the table, and what is locked and is not.

#include "commands.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <tuple>

#include "code.h"
#include "debug-info.h"
#include "functions.h"
#include "proof.h"
#include "reason.h"
#include "table.h"

using namespace uplock;

namespace {

struct Options {
  std::vector<std::string> files;
  bool is_json = false, is_summary = false, wants_locks = false;
};

struct Row {
  Place place;
  std::string address, function, instruction, mode, kind;
  DebugInfo::Line line;
  std::string object, reason; // of what has no entry
};

struct Report {
  const ElfFile &file;
  std::vector<Row> sites, others;
  std::vector<std::string> findings;
  bool has_table;
  std::string mode; // SMP, UP, mixed; empty without sites
};

const char *in_words(Kind kind) {
  switch (kind) {
  case Kind::lock:
    return "rmw";
  case Kind::fence:
    return "fence";
  case Kind::xchg:
    return "xchg";
  case Kind::mfence:
    return "mfence";
  case Kind::plain:
    break;
  }
  return "?";
}

Report read_report(ElfFile &file, bool wants_locks) {
  Functions functions(file);
  Code code(file, functions);
  Table table = read_table(file);
  Proof proof(file, functions, code, table);
  DebugInfo debug(file);
  Report report{file, {}, {}, proof.findings, table.exists, ""};

  auto make_row = [&](Place place) {
    Row row;
    row.place = place;
    row.address = file.describe(place);
    row.function = demangle(functions.name_at(place));
    row.instruction = code.text(place);
    row.line = debug.line_of(place);
    return row;
  };
  std::set<const Function *> with_entries;
  for (const Site &site : proof.sites) {
    Row row = make_row(site.place);
    row.mode = site.patch.is_up ? "UP" : "SMP";
    row.kind = uplock::in_words(site.kind);
    report.sites.push_back(row);
    with_entries.insert(functions.containing(site.place));
  }
  size_t up = proof.up_count();
  if (!proof.sites.empty())
    report.mode = !up ? "SMP" : up == proof.sites.size() ? "UP" : "mixed";
  if (!wants_locks)
    return report;

  for (const Locked &locked : code.locked()) {
    if (proof.is_site(locked.place) || proof.switched.count(locked.place))
      continue;
    Row row = make_row(locked.place);
    row.mode = "SMP";
    row.kind = in_words(locked.kind);
    Instruction instruction;
    const Function *function = functions.containing(locked.place);
    Circumstances what{
        locked.kind,
        code.decode(locked.place, instruction) && instruction.has_lock(),
        table.exists, function && with_entries.count(function) != 0,
        debug.unit_of(locked.place)};
    row.object = what.unit.name;
    row.reason = likely_reason(what);
    report.others.push_back(row);
  }
  return report;
}

std::string place_in_source(const DebugInfo::Line &line) {
  if (line.file.empty())
    return "";
  return line.file.substr(line.file.rfind('/') + 1) + ":" +
         std::to_string(line.line);
}

// Lines of cells, each column as wide as its widest cell, but for very long
// ones: a template's name.
constexpr size_t widest = 40;

void print_columns(const std::vector<std::vector<std::string>> &lines) {
  std::vector<size_t> widths;
  for (auto &line : lines)
    for (size_t i = 0; i < line.size(); i++) {
      if (i == widths.size())
        widths.push_back(0);
      widths[i] = std::max(widths[i], std::min(widest, line[i].size()));
    }
  for (auto &line : lines) {
    std::string text;
    for (size_t i = 0; i < line.size(); i++)
      text += "  " + line[i] +
              std::string(widths[i] - std::min(widths[i], line[i].size()), ' ');
    print_line(text.substr(0, text.find_last_not_of(' ') + 1));
  }
}

// How many rows there are of each kind of something, the most first.
template <typename Key>
void print_counts(const std::vector<Row> &rows, Key key) {
  std::map<std::vector<std::string>, size_t> counts;
  for (const Row &row : rows)
    counts[key(row)]++;
  std::vector<std::vector<std::string>> lines;
  for (auto &[cells, number] : counts) {
    std::string text = std::to_string(number);
    lines.push_back(
        {std::string(text.size() < 6 ? 6 - text.size() : 0, ' ') + text});
    lines.back().insert(lines.back().end(), cells.begin(), cells.end());
  }
  std::stable_sort(lines.begin(), lines.end(), [](auto &a, auto &b) {
    return std::stoull(a[0]) > std::stoull(b[0]);
  });
  print_columns(lines);
}

void print_text(const Report &report, const Options &options) {
  const std::string &name = report.file.name;
  for (const std::string &finding : report.findings)
    print_line(name + ": " + finding);
  std::string title = report.has_table ? count(report.sites.size(), "site")
                                       : std::string("no table");
  print_line(name + ": " + title +
             (report.mode.empty() ? "" : ", " + report.mode));
  if (options.is_summary) {
    print_counts(report.sites, [](const Row &row) {
      return std::vector<std::string>{row.kind};
    });
    print_counts(report.sites, [](const Row &row) {
      return std::vector<std::string>{row.function};
    });
  } else {
    std::vector<std::vector<std::string>> lines;
    for (const Row &row : report.sites)
      lines.push_back({row.address, row.mode, row.kind, row.instruction,
                       row.function, place_in_source(row.line)});
    print_columns(lines);
  }
  if (!options.wants_locks)
    return;

  print_line(name + ": " + count(report.others.size(), "locked instruction") +
             " without an entry");
  if (options.is_summary) {
    print_counts(report.others, [](const Row &row) {
      return std::vector<std::string>{row.kind, row.function, row.object,
                                      row.reason};
    });
    return;
  }
  std::vector<std::vector<std::string>> lines;
  for (const Row &row : report.others)
    lines.push_back({row.address, row.kind, row.instruction, row.function,
                     place_in_source(row.line), row.reason});
  print_columns(lines);
}

void write_rows(Json &json, const char *key, const Report &report,
                const std::vector<Row> &rows) {
  json.begin('[', key);
  for (const Row &row : rows) {
    const Section &section = report.file.sections()[row.place.section];
    bool is_linked = !report.file.is_relocatable();
    json.begin('{')
        .string("section", section.name)
        .number("offset", row.place.offset);
    if (is_linked)
      json.number("address", section.address + row.place.offset);
    json.string("function", row.function)
        .string("instruction", row.instruction)
        .string("mode", row.mode)
        .string("kind", row.kind);
    if (!row.line.file.empty())
      json.string("source", row.line.file).number("line", row.line.line);
    if (!row.object.empty())
      json.string("object", row.object);
    if (!row.reason.empty())
      json.string("reason", row.reason);
    json.end('}');
  }
  json.end(']');
}

void write_json(Json &json, const Report &report, const Options &options) {
  json.begin('{')
      .string("file", report.file.name)
      .boolean("table", report.has_table)
      .string("mode", report.mode);
  json.begin('[', "findings");
  for (const std::string &finding : report.findings)
    json.string(nullptr, finding);
  json.end(']');
  write_rows(json, "sites", report, report.sites);
  if (options.wants_locks)
    write_rows(json, "without_entry", report, report.others);
  json.end('}');
}

Status run(const Options &options) {
  Json json;
  if (options.is_json)
    json.begin('{').begin('[', "files");
  Status status = visit_files(options.files, [&](ElfFile &file) {
    Report report = read_report(file, options.wants_locks);
    if (options.is_json)
      write_json(json, report, options);
    else
      print_text(report, options);
    return report.findings.empty() ? holds : does_not_hold;
  });
  if (options.is_json)
    json.end(']').end('}');
  return status;
}

} // namespace

Command uplock::add_list(CLI::App &app) {
  auto options = std::make_shared<Options>();
  CLI::App *command = app.add_subcommand(
      "list",
      "Show every site of the table: its address, mode (SMP: locked, UP: "
      "not), kind, instruction, function and source line");
  command->add_flag("--locks", options->wants_locks,
                    "show also the locked instructions that have no entry, and "
                    "the likely reason");
  command->add_flag(
      "--summary", options->is_summary,
      "show how many there are of each kind, and in each function");
  command
      ->add_flag("--json", options->is_json,
                 "write JSON: all that there is about each site")
      ->excludes(command->get_option("--summary"));
  add_files(command, options->files);
  command->footer(
      "Kinds are those of the plugin's option cover=: rmw, fence, store, "
      "exchange.\n\n"
      "Exit status: 0 all was listed, 1 something in a table is no site, 2 a "
      "file cannot be used.");
  return [options] { return run(*options); };
}
