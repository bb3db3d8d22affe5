// SPDX-License-Identifier: GPL-3.0-or-later
//
// uplock.so: options, and where the passes go. What they do and why they stand
// where they stand is told in label-pass.cc and table-pass.cc.

#include "keep.h"
#include "sites.h"

#include <string>
#include <unistd.h>

using namespace uplock;

// Demanded by GCC of every plugin: it is under a licence compatible with the
// GPL.
int plugin_is_GPL_compatible;

Coverage uplock::coverage = coverage_bit(SiteKind::rmw);

bool uplock::is_covered(SiteKind kind) {
  return (coverage & coverage_bit(kind)) && !is_kept(current_function_decl);
}

namespace {

const char version_text[] = UPLOCK_VERSION " (for GCC " UPLOCK_GCC_VERSION ")";
// clang-format off
const char help_text[] =
    "Records locked instructions in the section .smp_locks.\n"
    "    -fplugin-arg-uplock-cover=LIST  Record these kinds, separated by commas\n"
    "                                    (default rmw):\n"
    "                      rmw           read-modify-write atomics\n"
    "                      store         seq_cst stores\n"
    "                      fence         seq_cst fences\n"
    "                      exchange      exchanges whose result is used (and rmw)\n"
    "                      asm           LOCK prefixes in inline assembly\n"
    "                      all           all of them\n"
    "    -fplugin-arg-uplock-default=keep Record nothing but in functions marked\n"
    "                                    [[uplock::patch]]\n"
    "    -fplugin-arg-uplock-dump[=FILE] List each site and what came of it:\n"
    "                                    -fdump-rtl-uplock, which GCC 11 to 13\n"
    "                                    do not know yet when they read it.";
// clang-format on

// A kind that the user may name.
struct CoverageName {
  const char *name;
  Coverage bits;
};

// What an exchange becomes has a lock of its own.
constexpr Coverage exchange_bits =
    coverage_bit(SiteKind::exchange) | coverage_bit(SiteKind::rmw);

const CoverageName coverage_names[] = {
    {"rmw", coverage_bit(SiteKind::rmw)},
    {"store", coverage_bit(SiteKind::store)},
    {"fence", coverage_bit(SiteKind::fence)},
    {"exchange", exchange_bits},
    {"asm", coverage_bit(SiteKind::assembly)},
    {"all", exchange_bits | coverage_bit(SiteKind::store) |
                coverage_bit(SiteKind::fence) |
                coverage_bit(SiteKind::assembly)},
};

std::string known_coverages() {
  std::string names;
  for (const CoverageName &known : coverage_names)
    names += (names.empty() ? "" : " ") + std::string(known.name);
  return names;
}

// Sets `coverage` from LIST, kinds separated by commas.
void parse_coverage(const char *plugin, const char *list) {
  Coverage bits = 0;
  std::string rest = list;
  for (bool more = true; more;) {
    size_t comma = rest.find(',');
    more = comma != std::string::npos;
    std::string name = rest.substr(0, comma);
    if (more)
      rest.erase(0, comma + 1);

    const CoverageName *found = nullptr;
    for (const CoverageName &known : coverage_names)
      if (name == known.name)
        found = &known;
    if (!found) {
      error("unrecognized argument %qs in option "
            "%<-fplugin-arg-%s-cover=%s%>; valid arguments are: %s",
            name.c_str(), plugin, list, known_coverages().c_str());
      return;
    }
    bits |= found->bits;
  }
  coverage = bits;
}

// As if the user had written -fdump-rtl-uplock, which GCC 11 to 13 read before
// they load plugins (toplev.cc, handle_common_deferred_options), and reject.
void enable_dump(const char *file) {
  std::string name = "rtl-uplock";
  if (file)
    name += std::string("=") + file;
  g->get_dumps()->dump_switch_p(name.c_str());
}

void parse_option(const char *plugin, const char *key, const char *value) {
  if (!strcmp(key, "cover")) {
    if (value && *value)
      parse_coverage(plugin, value);
    else
      error("missing argument to %<-fplugin-arg-%s-cover=%>; valid arguments "
            "are: %s",
            plugin, known_coverages().c_str());
  } else if (!strcmp(key, "default")) {
    if (!value || !*value)
      error("missing argument to %<-fplugin-arg-%s-default=%>; valid arguments "
            "are: keep patch",
            plugin);
    else if (!strcmp(value, "keep") || !strcmp(value, "patch"))
      is_kept_by_default = !strcmp(value, "keep");
    else
      error("unrecognized argument %qs in option "
            "%<-fplugin-arg-%s-default=%s%>; valid arguments are: keep patch",
            value, plugin, value);
  } else if (!strcmp(key, "dump")) {
    if (value && !*value)
      error("missing file name in %<-fplugin-arg-%s-dump=%>", plugin);
    else
      enable_dump(value);
  } else {
    error("unrecognized option %<-fplugin-arg-%s-%s%>; valid options are: "
          "%<-fplugin-arg-%s-cover=%> %<-fplugin-arg-%s-default=%> "
          "%<-fplugin-arg-%s-dump%>",
          plugin, key, plugin, plugin, plugin);
  }
}

// The insides of GCC change from release to release and from target to target,
// without a sign that the loader could see. So a plugin runs in the very build
// of GCC whose headers it was compiled with, and in no other.
bool check_gcc(const plugin_name_args *info, plugin_gcc_version *running) {
  if (plugin_default_version_check(running, &gcc_version))
    return true;
  if (strcmp(running->basever, gcc_version.basever))
    error("plugin %qs was built for GCC %s and cannot work in GCC %s; use the "
          "one of this release, or build it with %<make GCC=%>",
          info->base_name, gcc_version.basever, running->basever);
  else
    error("plugin %qs was built for another build of GCC %s (%s, %s) than this "
          "one (%s, %s); build it anew with %<make GCC=%>",
          info->base_name, gcc_version.basever, gcc_version.datestamp,
          gcc_version.configuration_arguments, running->datestamp,
          running->configuration_arguments);
  return false;
}

void register_pass_at(const plugin_name_args *info, opt_pass *pass,
                      pass_positioning_ops position, const char *reference) {
  register_pass_info where{pass, reference, 1, position};
  register_callback(info->base_name, PLUGIN_PASS_MANAGER_SETUP, nullptr,
                    &where);
}

// Why each stands at its place is said at the top of its file.
void register_passes(const plugin_name_args *info) {
#if UPLOCK_TARGET_X86
#ifndef OBJECT_FORMAT_ELF
  error("plugin %qs writes tables for ELF files only", info->base_name);
#endif
  register_keep(info->base_name);
  register_pass_at(info, make_keep_pass(g), PASS_POS_INSERT_BEFORE,
                   "*free_lang_data");
  register_pass_at(info, make_exchange_pass(g), PASS_POS_INSERT_BEFORE,
                   "optimized");
  register_pass_at(info, make_keep_mfence_pass(g), PASS_POS_INSERT_BEFORE,
                   "optimized");
  register_pass_at(info, make_fence_pass(g), PASS_POS_INSERT_AFTER, "expand");
  register_pass_at(info, make_dead_exchange_pass(g), PASS_POS_INSERT_BEFORE,
                   "*free_cfg");
  register_pass_at(info, make_label_pass(g), PASS_POS_INSERT_BEFORE, "shorten");
  register_pass_at(info, make_table_pass(g), PASS_POS_INSERT_AFTER, "final");
#else
  (void)info;
#endif
}

} // namespace

// Another compiler that takes -fplugin (clang) loads this, which refers to GCC
// weakly (Makefile), finds no plugin of its own kind in it, and goes on without
// a word: the program would be unpatched. There are no diagnostics to use
// there.
#pragma weak register_callback
__attribute__((constructor)) static void refuse_other_compilers() {
  if (register_callback)
    return;
  static const char message[] =
      "uplock: this is a plugin for GCC " UPLOCK_GCC_VERSION
      ", which another compiler has loaded: compile "
      "with GCC, or leave -fplugin out\n";
  if (write(STDERR_FILENO, message, sizeof message - 1) < 0)
    _exit(2);
  _exit(1);
}

// A failure is reported by an error of ours, which makes the compilation fail;
// a result other than 0 would make GCC add a second one that says nothing new.
int plugin_init(plugin_name_args *info, plugin_gcc_version *running) {
  if (!check_gcc(info, running))
    return 0;

  static plugin_info about{version_text, help_text};
  register_callback(info->base_name, PLUGIN_INFO, nullptr, &about);
  register_passes(info);
  for (int i = 0; i < info->argc; i++)
    parse_option(info->base_name, info->argv[i].key, info->argv[i].value);
  return 0;
}
