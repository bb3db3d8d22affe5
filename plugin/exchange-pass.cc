// SPDX-License-Identifier: GPL-3.0-or-later
//
// With cover=exchange: an atomic exchange whose result is used, and a
// test_and_set, get a second form for one CPU.
//
// xchg locks without a prefix, and nothing that fits into its bytes exchanges
// without a lock. cmpxchg does, behind a prefix that the table covers, but it
// needs the old value first: on many CPUs that is slower and, contended, much
// slower. So both are there, and a switch of one byte chooses:
//
//           test  $cold-.,%eax       a9 xx xx xx xx    <- in the table
//           xchg  %edx,(%rdi)
//     join: ...
//     cold: mov   (%rdi),%eax
//     loop: lock cmpxchg %edx,(%rdi)                   <- in the table
//           jne   loop
//           jmp   join
//
// With many CPUs the test does nothing but clobber the flags. With one, its
// opcode is e9: a jmp of the same length with the same four bytes of operand.
// The cmpxchg is an ordinary lock site: a thread that was preempted in the cold
// part must not resume unlocked after the switch back.
//
// A test_and_set needs no loop: either the flag was clear and cmpxchg has set
// it, or it was set and stays so.
//
// The pass stands at the end of GIMPLE, before `optimized`. All inlining has
// been done, so the function at hand decides; the results of exchanges that
// nobody reads have been dropped, and those exchanges are left to cover=store.

#include "exchange.h"
#include "gcc.h"
#include "sites.h"

using namespace uplock;

namespace {

const pass_data exchange_pass_data = {GIMPLE_PASS,
                                      "uplock_exchange",
                                      OPTGROUP_NONE,
                                      TV_NONE,
                                      PROP_cfg | PROP_ssa,
                                      0,
                                      0,
                                      0,
                                      TODO_update_ssa | TODO_cleanup_cfg};

// What to do about a call.
struct Exchange {
  unsigned size; // bytes, 0: not an exchange that is to be lowered
  bool is_test_and_set;
};

// Is MODEL free of the bits that ask for lock elision (-mhle)? cmpxchg has no
// such form. One that is not a constant is taken as seq_cst (builtins.cc,
// get_memmodel).
bool is_plain_model(tree model) {
  return TREE_CODE(model) != INTEGER_CST ||
         (tree_fits_uhwi_p(model) && tree_to_uhwi(model) <= MEMMODEL_MASK);
}

// Is the second argument of STMT, which may be wider than its SIZE bytes, VALUE
// in all of them: 0 or -1?
bool is_constant(gimple *stmt, unsigned size, int value) {
  tree argument = gimple_call_arg(stmt, 1);
  if (TREE_CODE(argument) != INTEGER_CST)
    return false;
  tree type = build_nonstandard_integer_type(size * BITS_PER_UNIT, true);
  tree bits = fold_convert(type, argument);
  return value ? integer_all_onesp(bits) : integer_zerop(bits);
}

// GCC makes an exchange of fetch_and with 0 and of fetch_or with all ones too
// (optabs.cc, maybe_optimize_fetch_op). The new value is the argument there.
Exchange classify(gimple *stmt) {
  if (!gimple_call_builtin_p(stmt, BUILT_IN_NORMAL))
    return {};
  tree result = gimple_call_lhs(stmt);
  if (!result || (TREE_CODE(result) == SSA_NAME && has_zero_uses(result)))
    return {};
  // A handler's edge would have to be kept (-fnon-call-exceptions).
  if (stmt_ends_bb_p(stmt))
    return {};

  Exchange found{};
  switch (DECL_FUNCTION_CODE(gimple_call_fndecl(stmt))) {
  case BUILT_IN_ATOMIC_TEST_AND_SET:
    found = {1, true};
    break;
#define EXCHANGES(bytes)                                                       \
  case BUILT_IN_ATOMIC_EXCHANGE_##bytes:                                       \
  case BUILT_IN_SYNC_LOCK_TEST_AND_SET_##bytes:                                \
    found = {bytes, false};                                                    \
    break;                                                                     \
  case BUILT_IN_ATOMIC_FETCH_AND_##bytes:                                      \
  case BUILT_IN_SYNC_FETCH_AND_AND_##bytes:                                    \
    if (is_constant(stmt, bytes, 0))                                           \
      found = {bytes, false};                                                  \
    break;                                                                     \
  case BUILT_IN_ATOMIC_FETCH_OR_##bytes:                                       \
  case BUILT_IN_SYNC_FETCH_AND_OR_##bytes:                                     \
    if (is_constant(stmt, bytes, -1))                                          \
      found = {bytes, false};                                                  \
    break;
    EXCHANGES(1)
    EXCHANGES(2)
    EXCHANGES(4)
    EXCHANGES(8)
#undef EXCHANGES
  default:
    break;
  }
  if (!found.size)
    return {};
  // Wider ones are cmpxchg8b already.
  if (found.size > static_cast<unsigned>(UNITS_PER_WORD))
    return {};
  unsigned last = gimple_call_num_args(stmt) - 1;
  bool has_model = last == (found.is_test_and_set ? 1u : 2u);
  if (has_model && !is_plain_model(gimple_call_arg(stmt, last)))
    return {};
  return found;
}

// Builds statements at the end of a block.
class Builder {
public:
  Builder(basic_block block, location_t location)
      : at(gsi_last_bb(block)), location(location) {}

  void add(gimple *stmt) {
    gimple_set_location(stmt, location);
    gsi_insert_after(&at, stmt, GSI_NEW_STMT);
  }

  tree call(tree function, tree type, std::initializer_list<tree> arguments) {
    auto_vec<tree> list;
    for (tree argument : arguments)
      list.safe_push(argument);
    gcall *stmt = gimple_build_call_vec(function, list);
    tree result = make_ssa_name(type);
    gimple_call_set_lhs(stmt, result);
    add(stmt);
    return result;
  }

  // VALUE as TYPE.
  tree convert(tree type, tree value) {
    if (useless_type_conversion_p(type, TREE_TYPE(value)))
      return value;
    if (CONSTANT_CLASS_P(value))
      return fold_convert(type, value);
    tree result = make_ssa_name(type);
    add(gimple_build_assign(result, NOP_EXPR, value));
    return result;
  }

private:
  gimple_stmt_iterator at;
  location_t location;
};

// The builtin of the family BASE (its member for one byte) for SIZE bytes.
tree sized_builtin(built_in_function base, unsigned size) {
  return builtin_decl_explicit(
      static_cast<built_in_function>(base + exact_log2(size)));
}

basic_block new_block_after(basic_block previous, profile_count count) {
  basic_block block = create_empty_bb(previous);
  block->count = count;
  if (current_loops)
    add_bb_to_loop(block, previous->loop_father);
  return block;
}

edge link(basic_block from, basic_block to, int flags,
          profile_probability probability) {
  edge result = make_edge(from, to, flags);
  result->probability = probability;
  return result;
}

// The cold part of an exchange: fills COLD, which ends in a jump to JOIN, and
// returns the old value, of the type TYPE.
tree build_cold_exchange(gimple *stmt, const Exchange &exchange, tree type,
                         basic_block cold, basic_block join, edge &leave) {
  location_t location = gimple_location(stmt);
  tree address = gimple_call_arg(stmt, 0);
  tree swap =
      sized_builtin(BUILT_IN_SYNC_VAL_COMPARE_AND_SWAP_1, exchange.size);
  tree word = TREE_TYPE(TREE_TYPE(swap));

  if (exchange.is_test_and_set) {
    Builder code(cold, location);
    tree old = code.call(swap, word,
                         {address, build_zero_cst(word), build_one_cst(word)});
    tree was_set = make_ssa_name(boolean_type_node);
    code.add(gimple_build_assign(was_set, NE_EXPR, old, build_zero_cst(word)));
    tree result = code.convert(type, was_set);
    leave = link(cold, join, EDGE_FALLTHRU, profile_probability::always());
    return result;
  }

  tree load = sized_builtin(BUILT_IN_ATOMIC_LOAD_1, exchange.size);
  Builder before(cold, location);
  // Not build_int_cst: its name differs in GCCs for other processors, which
  // are to load the plugin far enough to hear why they cannot use it.
  static_assert(MEMMODEL_RELAXED == 0, "as memmodel.h has it");
  tree first =
      before.call(load, word, {address, build_zero_cst(integer_type_node)});
  tree value = before.convert(word, gimple_call_arg(stmt, 1));

  basic_block loop = new_block_after(cold, cold->count);
  edge enter = link(cold, loop, EDGE_FALLTHRU, profile_probability::always());
  tree expected = make_ssa_name(word);
  gphi *phi = create_phi_node(expected, loop);
  Builder body(loop, location);
  tree old = body.call(swap, word, {address, expected, value});
  tree result = body.convert(type, old);
  body.add(gimple_build_cond(EQ_EXPR, old, expected, NULL_TREE, NULL_TREE));
  leave = link(loop, join, EDGE_TRUE_VALUE, profile_probability::very_likely());
  edge again =
      link(loop, loop, EDGE_FALSE_VALUE, profile_probability::very_unlikely());
  add_phi_arg(phi, first, enter, location);
  add_phi_arg(phi, old, again, location);
  return result;
}

// Gives the exchange at AT its second form.
void lower(gimple_stmt_iterator at, const Exchange &exchange) {
  gimple *stmt = gsi_stmt(at);
  location_t location = gimple_location(stmt);
  tree result = gimple_call_lhs(stmt);
  tree type = TREE_TYPE(result);

  // head | hot: the exchange | join
  edge from_hot = split_block(gsi_bb(at), stmt);
  basic_block hot = from_hot->src, join = from_hot->dest;
  gsi_prev(&at);
  edge into_hot = gsi_end_p(at) ? split_block_after_labels(hot)
                                : split_block(hot, gsi_stmt(at));
  basic_block head = into_hot->src;
  hot = into_hot->dest;

  into_hot->flags = EDGE_FALLTHRU;
  into_hot->probability = profile_probability::very_likely();
  // Behind everything: the function's last blocks are its coldest.
  profile_probability rarely = into_hot->probability.invert();
  basic_block cold = new_block_after(EXIT_BLOCK_PTR_FOR_FN(cfun)->prev_bb,
                                     head->count.apply_probability(rarely));
  link(head, cold, 0, rarely);

  tree label = gimple_block_label(cold);
  vec<tree, va_gc> *labels = nullptr, *clobbers = nullptr;
  vec_safe_push(labels, build_tree_list(NULL_TREE, label));
  vec_safe_push(clobbers, build_tree_list(NULL_TREE, build_string(2, "cc")));
  gasm *gate =
      gimple_build_asm_vec(switch_template, nullptr, nullptr, clobbers, labels);
  gimple_asm_set_volatile(gate, true);
  Builder(head, location).add(gate);

  edge from_cold;
  tree cold_result =
      build_cold_exchange(stmt, exchange, type, cold, join, from_cold);

  // The result now comes from either side.
  tree hot_result = make_ssa_name(type);
  gimple_call_set_lhs(stmt, hot_result);
  update_stmt(stmt);
  tree joined = TREE_CODE(result) == SSA_NAME ? result : make_ssa_name(type);
  gphi *phi = create_phi_node(joined, join);
  add_phi_arg(phi, hot_result, find_edge(hot, join), location);
  add_phi_arg(phi, cold_result, from_cold, location);
  if (joined != result) {
    gimple_stmt_iterator first = gsi_after_labels(join);
    gimple *store = gimple_build_assign(result, joined);
    gimple_set_location(store, location);
    gsi_insert_before(&first, store, GSI_SAME_STMT);
  }
}

struct ExchangePass final : gimple_opt_pass {
  explicit ExchangePass(gcc::context *context)
      : gimple_opt_pass(exchange_pass_data, context) {}

  bool gate(function *) override { return is_covered(SiteKind::exchange); }
  unsigned int execute(function *) override;
};

unsigned int ExchangePass::execute(function *fun) {
  auto_vec<gimple *> found;
  basic_block block;
  FOR_EACH_BB_FN(block, fun)
  for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at))
    if (classify(gsi_stmt(at)).size)
      found.safe_push(gsi_stmt(at));
  if (found.is_empty())
    return 0;

  for (gimple *stmt : found)
    lower(gsi_for_stmt(stmt), classify(stmt));
  free_dominance_info(CDI_DOMINATORS);
  free_dominance_info(CDI_POST_DOMINATORS);
  if (current_loops)
    loops_state_set(LOOPS_NEED_FIXUP);
  mark_virtual_operands_for_renaming(fun);
  return 0;
}

} // namespace

gimple_opt_pass *uplock::make_exchange_pass(gcc::context *context) {
  return new ExchangePass(context);
}
