// SPDX-License-Identifier: GPL-3.0-or-later
//
// With cover=fence: every seq_cst fence becomes a locked instruction.
//
// GCC has two forms of a full fence, mfence and a locked no-op on the top of
// the stack, and takes the one that suits the tuning. Only the second has a
// byte that can be patched; it orders the same, and costs no more on any
// processor since 2003 (that is why it is the default tuning's choice). So
// where GCC has taken mfence, it is given the other form.
//
// That is done right behind `expand`, where fences come into being (those of
// __sync_synchronize and atomic_thread_fence, and those that follow a seq_cst
// store on some tunings) and where nothing is in the flags register, which the
// locked form clobbers.
//
// __builtin_ia32_mfence expands to the very same insn. It is the programmer's
// own choice of instruction and must stay. So a pass at the end of GIMPLE turns
// it into what it says, asm volatile ("mfence" ::: "memory").

#include "fence.h"
#include "sites.h"

using namespace uplock;

namespace {

const pass_data keep_mfence_pass_data = {GIMPLE_PASS,
                                         "uplock_mfence",
                                         OPTGROUP_NONE,
                                         TV_NONE,
                                         0,
                                         0,
                                         0,
                                         0,
                                         TODO_update_ssa_only_virtuals};

const pass_data fence_pass_data = {
    RTL_PASS, "uplock_fence", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

bool is_mfence_builtin(const gimple *stmt) {
  tree callee = gimple_call_fndecl(stmt);
  return callee && fndecl_built_in_p(callee, BUILT_IN_MD) &&
         id_equal(DECL_NAME(callee), "__builtin_ia32_mfence");
}

struct KeepMfencePass final : gimple_opt_pass {
  explicit KeepMfencePass(gcc::context *context)
      : gimple_opt_pass(keep_mfence_pass_data, context) {}

  bool gate(function *) override { return is_covered(SiteKind::fence); }
  unsigned int execute(function *) override;
};

unsigned int KeepMfencePass::execute(function *fun) {
  basic_block block;
  FOR_EACH_BB_FN(block, fun)
  for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
    gimple *stmt = gsi_stmt(at);
    if (!is_gimple_call(stmt) || !is_mfence_builtin(stmt))
      continue;
    vec<tree, va_gc> *clobbers = nullptr;
    vec_safe_push(clobbers,
                  build_tree_list(NULL_TREE, build_string(6, "memory")));
    gasm *mfence =
        gimple_build_asm_vec("mfence", nullptr, nullptr, clobbers, nullptr);
    gimple_asm_set_volatile(mfence, true);
    gimple_set_location(mfence, gimple_location(stmt));
    gsi_replace(&at, mfence, true);
  }
  return 0;
}

struct FencePass final : rtl_opt_pass {
  explicit FencePass(gcc::context *context)
      : rtl_opt_pass(fence_pass_data, context) {}

  bool gate(function *) override { return is_covered(SiteKind::fence); }
  unsigned int execute(function *) override;
};

unsigned int FencePass::execute(function *) {
#if UPLOCK_TARGET_X86
  for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
    if (!NONJUMP_INSN_P(insn) || fence_kind(insn) != Fence::mfence)
      continue;
    rtx flags = gen_rtx_REG(CCmode, FLAGS_REG);
    PATTERN(insn) =
        gen_rtx_PARALLEL(VOIDmode, gen_rtvec(2, PATTERN(insn),
                                             gen_rtx_CLOBBER(VOIDmode, flags)));
    INSN_CODE(insn) = -1;
  }
#endif
  return 0;
}

} // namespace

gimple_opt_pass *uplock::make_keep_mfence_pass(gcc::context *context) {
  return new KeepMfencePass(context);
}

rtl_opt_pass *uplock::make_fence_pass(gcc::context *context) {
  return new FencePass(context);
}
