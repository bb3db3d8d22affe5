// SPDX-License-Identifier: GPL-3.0-or-later
//
// Which xchg instructions are stores: those whose result nobody reads.
//
// GCC writes a seq_cst store as an xchg with memory, which the processor locks
// without a prefix. With one CPU a mov would do, unless the old value is used.
// An exchange whose result the program ignores is the same instruction.
//
// Whether a register is read later can be asked only while the control flow
// graph lives. So this pass stands before `*free_cfg`, the last place where it
// does: everything that could delete the reader of a result, or the exchange,
// has run. It only looks, and remembers the instructions for the pass that
// labels them. The notes that it has computed stay behind, as every pass's do.

#include "gcc.h"
#include "sites.h"

using namespace uplock;

std::set<int> uplock::dead_exchanges;

namespace {

const pass_data dead_exchange_pass_data = {
    RTL_PASS, "uplock_stores", OPTGROUP_NONE, TV_NONE, 0, 0, 0,
    0,        TODO_df_finish};

// INSN's result register if it is an atomic exchange, otherwise null:
//   (parallel [(set (reg:SI ax)
//                   (unspec_volatile:SI [(mem:SI (reg:DI di)) (const_int 5)]
//                                       UNSPECV_XCHG))
//              (set (mem:SI (reg:DI di)) (reg:SI ax))])
rtx exchange_result(const rtx_insn *insn) {
  if (!NONJUMP_INSN_P(insn) || GET_CODE(PATTERN(insn)) != PARALLEL ||
      XVECLEN(PATTERN(insn), 0) != 2)
    return nullptr;
  rtx load = XVECEXP(PATTERN(insn), 0, 0);
  rtx store = XVECEXP(PATTERN(insn), 0, 1);
  if (GET_CODE(load) == SET && REG_P(SET_DEST(load)) &&
      GET_CODE(SET_SRC(load)) == UNSPEC_VOLATILE && GET_CODE(store) == SET &&
      MEM_P(SET_DEST(store)) && REG_P(SET_SRC(store)) &&
      REGNO(SET_SRC(store)) == REGNO(SET_DEST(load)))
    return SET_DEST(load);
  return nullptr;
}

struct DeadExchangePass final : rtl_opt_pass {
  explicit DeadExchangePass(gcc::context *context)
      : rtl_opt_pass(dead_exchange_pass_data, context) {}

  bool gate(function *) override { return is_covered(SiteKind::store); }
  unsigned int execute(function *) override;
};

unsigned int DeadExchangePass::execute(function *fun) {
  dead_exchanges.clear();
  bool is_analysed = false;
  basic_block block;
  rtx_insn *insn;
  FOR_EACH_BB_FN(block, fun)
  FOR_BB_INSNS(block, insn) {
    rtx result = exchange_result(insn);
    if (!result)
      continue;
    // Most functions have no exchange and need no analysis.
    if (!is_analysed) {
      df_note_add_problem();
      df_analyze();
      is_analysed = true;
    }
    if (find_regno_note(insn, REG_UNUSED, REGNO(result)))
      dead_exchanges.insert(INSN_UID(insn));
  }
  return 0;
}

} // namespace

rtl_opt_pass *uplock::make_dead_exchange_pass(gcc::context *context) {
  return new DeadExchangePass(context);
}
