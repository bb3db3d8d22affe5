// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the plugin's parts share: the kinds of locked instruction, which of
// them the user wants recorded, and the sites of the function at hand on
// their way from the pass that labels them to the pass that writes them out.

#ifndef UPLOCK_PLUGIN_SITES_H
#define UPLOCK_PLUGIN_SITES_H

#include <set>
#include <vector>

class gimple_opt_pass;
class rtl_opt_pass;
namespace gcc {
class context;
}

namespace uplock {

// Why an instruction is locked, and so which coverage asks for it
// (docs/design.md, "Coverage").
enum class SiteKind {
  rmw,      // a LOCK prefix that comes from a read-modify-write atomic
  store,    // an xchg whose result nobody reads: a seq_cst store
  exchange, // an xchg whose result is used
  fence,    // a seq_cst fence
  assembly, // a LOCK prefix in the programmer's own assembly
};

// One bit a SiteKind.
using Coverage = unsigned;

constexpr Coverage coverage_bit(SiteKind kind) {
  return 1u << static_cast<unsigned>(kind);
}

// The kinds to record: -fplugin-arg-uplock-cover=, default rmw.
extern Coverage coverage;

// Is KIND to be recorded in the function that is being compiled?
bool is_covered(SiteKind kind);

// An instruction to be entered in the table.
struct Site {
  int label;        // number of the internal label .L<n> at its first byte
  bool second_part; // behind the function's switch of text sections
};

// The sites of the function that is being compiled, in the order of their
// addresses. Filled before `shorten`, emptied after `final`.
extern std::vector<Site> function_sites;

// The xchg instructions of the function at hand whose results nobody reads, by
// INSN_UID. Found while the control flow is known, labelled later.
extern std::set<int> dead_exchanges;

gimple_opt_pass *make_exchange_pass(gcc::context *);
gimple_opt_pass *make_keep_mfence_pass(gcc::context *);
rtl_opt_pass *make_fence_pass(gcc::context *);
rtl_opt_pass *make_dead_exchange_pass(gcc::context *);
rtl_opt_pass *make_label_pass(gcc::context *);
rtl_opt_pass *make_table_pass(gcc::context *);

} // namespace uplock

#endif
