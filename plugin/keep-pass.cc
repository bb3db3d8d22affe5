// SPDX-License-Identifier: GPL-3.0-or-later
//
// The pass that makes keep hold in code that names members of std::atomic.
//
// Such a member is a function of its own when it is not inlined, always at -O0,
// shared by all that call it; and of the copies that several files have, the
// linker takes any one, also that of a file in which it is patched. So kept
// code must not call one. In a file that keeps anything, the members are
// therefore always inlined: each locked instruction stands in the function that
// asked for it. (In files that keep nothing they stay as they are, byte for
// byte.)
//
// What cannot be made to hold is an error, at the place that breaks it:
// - kept code that takes a member's address and could call it unseen;
// - a member without a body at hand;
// - a kept function that must be inlined into one that is not kept.
//
// The pass stands before `*free_lang_data`, the first of all IPA passes: every
// function of the file is known with its scopes, and none has been inlined yet.

#include "keep.h"
#include "keep-marks.h"

using namespace uplock;

namespace {

const pass_data keep_pass_data = {
    SIMPLE_IPA_PASS, "uplock_keep", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

// The scope that DECL or TYPE stands in.
const_tree scope_of(const_tree scope) {
  return TYPE_P(scope) ? TYPE_CONTEXT(scope) : DECL_CONTEXT(scope);
}

const char *scope_name(const_tree scope) {
  const_tree name = TYPE_P(scope) ? TYPE_NAME(scope) : DECL_NAME(scope);
  if (name && TREE_CODE(name) == TYPE_DECL)
    name = DECL_NAME(name);
  return name && TREE_CODE(name) == IDENTIFIER_NODE ? IDENTIFIER_POINTER(name)
                                                    : "";
}

// The last three: what the members wait and notify are made of.
bool names_atomics(const char *name) {
  for (const char *part :
       {"atomic", "Atomic", "__waiter", "__wait_impl", "__notify_impl"})
    if (strstr(name, part))
      return true;
  return false;
}

bool is_always_inlined(const_tree function) {
  return lookup_attribute("always_inline", DECL_ATTRIBUTES(function));
}

void inline_always(tree function) {
  if (!is_always_inlined(function))
    DECL_ATTRIBUTES(function) = tree_cons(get_identifier("always_inline"),
                                          NULL_TREE, DECL_ATTRIBUTES(function));
  DECL_DECLARED_INLINE_P(function) = 1;
  DECL_DISREGARD_INLINE_LIMITS(function) = 1;
  DECL_UNINLINABLE(function) = 0;
}

// A kept function that is always inlined and called through a pointer too. At
// that call the compiler may find out what the pointer is, and must not insist
// on inlining then; the other calls it inlines as before. (At -O0 it finds out
// nothing, and inlines only what it must.)
void do_not_insist(cgraph_node *node) {
  if (optimize && node->address_taken && is_kept_everywhere(node->decl) &&
      is_always_inlined(node->decl))
    DECL_ATTRIBUTES(node->decl) =
        remove_attribute("always_inline", DECL_ATTRIBUTES(node->decl));
}

// Says so if the kept function FUNCTION names a member other than by a call.
tree check_operand(tree *operand, int *, void *data) {
  auto info = static_cast<walk_stmt_info *>(data);
  auto stmt = static_cast<gimple *>(info->info);
  if (TREE_CODE(*operand) == ADDR_EXPR &&
      TREE_CODE(TREE_OPERAND(*operand, 0)) == FUNCTION_DECL &&
      is_atomic_member(TREE_OPERAND(*operand, 0)) &&
      !(is_gimple_call(stmt) && gimple_call_fn(stmt) == *operand))
    error_at(
        gimple_location(stmt),
        "kept function %qD takes the address of %qD, which may be patched; "
        "call it directly",
        current_function_decl, TREE_OPERAND(*operand, 0));
  return NULL_TREE;
}

// Says so if CALLEE, or a member that it calls in its turn, has no body. CALL
// is what the kept function NODE has to do with it.
void check_member(cgraph_node *node, cgraph_edge *call, cgraph_node *callee,
                  hash_set<cgraph_node *> &seen) {
  // A constructor may be another name of the same body.
  callee = callee->ultimate_alias_target();
  if (!is_atomic_member(callee->decl) || seen.add(callee))
    return;
  if (!callee->has_gimple_body_p()) {
    error_at(gimple_location(call->call_stmt),
             "kept function %qD calls %qD, which is defined elsewhere and "
             "may be patched; use a builtin such as %<__atomic_fetch_add%>",
             node->decl, callee->decl);
    return;
  }
  for (cgraph_edge *edge = callee->callees; edge; edge = edge->next_callee)
    check_member(node, call, edge->callee, seen);
}

// Says so if a variable that the kept function NODE uses is initialised with a
// member's address. (A vtable's entries are functions that are called by the
// object's type, not by NODE's choice.)
void check_variables(cgraph_node *node) {
  ipa_ref *use, *initializer;
  hash_set<varpool_node *> seen;
  for (unsigned i = 0; node->iterate_reference(i, use); i++) {
    auto variable = dyn_cast<varpool_node *>(use->referred);
    if (!variable || DECL_VIRTUAL_P(variable->decl) || seen.add(variable))
      continue;
    for (unsigned j = 0; variable->iterate_reference(j, initializer); j++) {
      tree member = initializer->referred->decl;
      if (TREE_CODE(member) == FUNCTION_DECL && is_atomic_member(member))
        error_at(DECL_SOURCE_LOCATION(variable->decl),
                 "%qD, which the kept function %qD uses, has the address of "
                 "%qD, which may be patched; call it directly",
                 variable->decl, node->decl, member);
    }
  }
}

void check_kept(cgraph_node *node) {
  check_variables(node);
  push_cfun(DECL_STRUCT_FUNCTION(node->decl));
  basic_block block;
  FOR_EACH_BB_FN(block, cfun)
  for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
    walk_stmt_info info{};
    info.info = gsi_stmt(at);
    walk_gimple_op(gsi_stmt(at), check_operand, &info);
  }
  pop_cfun();
  hash_set<cgraph_node *> seen;
  for (cgraph_edge *edge = node->callees; edge; edge = edge->next_callee)
    check_member(node, edge, edge->callee, seen);
}

void check_inlinable(cgraph_node *node) {
  for (cgraph_edge *edge = node->callees; edge; edge = edge->next_callee)
    if (is_always_inlined(edge->callee->decl) &&
        is_kept_everywhere(edge->callee->decl))
      error_at(gimple_location(edge->call_stmt),
               "kept function %qD is always inlined and would be patched in "
               "%qD; mark %qD %<uplock_keep%> too, or take %<always_inline%> "
               "away",
               edge->callee->decl, node->decl, node->decl);
}

// Is there anything in NODE's own body that the table could name?
bool has_sites(cgraph_node *node) {
  basic_block block;
  FOR_EACH_BB_FN(block, DECL_STRUCT_FUNCTION(node->decl))
  for (auto at = gsi_start_bb(block); !gsi_end_p(at); gsi_next(&at)) {
    gimple *stmt = gsi_stmt(at);
    if (gimple_code(stmt) == GIMPLE_ASM)
      return true;
    tree callee = is_gimple_call(stmt) ? gimple_call_fndecl(stmt) : NULL_TREE;
    if (!callee || !fndecl_built_in_p(callee))
      continue;
    const char *name = IDENTIFIER_POINTER(DECL_NAME(callee));
    if (!strncmp(name, "__atomic_", 9) || !strncmp(name, "__sync_", 7))
      return true;
  }
  return false;
}

// Under default=keep nearly all functions are kept, and most of them have
// nothing to keep: not to inline those into the few that are patched would make
// these slow. So only the others are held back, with all that call them, whose
// bodies they may become a part of.
void hold_back_sites() {
  hash_set<cgraph_node *> seen;
  auto_vec<cgraph_node *> found;
  cgraph_node *node;
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node)
  if (has_sites(node))
    found.safe_push(node);
  while (!found.is_empty()) {
    node = found.pop();
    if (seen.add(node))
      continue;
    if (is_kept_by_default_only(node->decl) && !is_atomic_member(node->decl))
      keep_everywhere(node->decl);
    node->call_for_symbol_thunks_and_aliases(
        [](cgraph_node *name, void *data) {
          auto callers = static_cast<auto_vec<cgraph_node *> *>(data);
          for (cgraph_edge *edge = name->callers; edge;
               edge = edge->next_caller)
            callers->safe_push(edge->caller);
          return false;
        },
        &found, true);
  }
}

struct KeepPass final : simple_ipa_opt_pass {
  explicit KeepPass(gcc::context *context)
      : simple_ipa_opt_pass(keep_pass_data, context) {}

  unsigned int execute(function *) override;
};

unsigned int KeepPass::execute(function *) {
  bool keeps_anything = false;
  cgraph_node *node;
  FOR_EACH_FUNCTION(node) {
    mark_function(node->decl);
    keeps_anything |= is_kept(node->decl);
  }
  // A kept name for a function is a mark on the function.
  FOR_EACH_FUNCTION(node)
  if (node->alias && node->analyzed && is_kept_everywhere(node->decl))
    keep_everywhere(node->ultimate_alias_target()->decl);
  if (!keeps_anything)
    return 0;

  hold_back_sites();

  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node)
  if (is_atomic_member(node->decl))
    inline_always(node->decl);
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node) {
    if (is_kept(node->decl) && !is_atomic_member(node->decl))
      check_kept(node);
    if (!is_kept_everywhere(node->decl))
      check_inlinable(node);
  }
  FOR_EACH_FUNCTION_WITH_GIMPLE_BODY(node)
  do_not_insist(node);
  return 0;
}

} // namespace

bool uplock::is_atomic_member(const_tree function) {
  bool is_named = names_atomics(scope_name(function));
  for (const_tree scope = scope_of(function); scope; scope = scope_of(scope)) {
    if (TREE_CODE(scope) == TRANSLATION_UNIT_DECL)
      return false;
    if (TREE_CODE(scope) == NAMESPACE_DECL &&
        !strcmp(scope_name(scope), "std")) {
      const_tree outer = scope_of(scope);
      return is_named &&
             (!outer || TREE_CODE(outer) == TRANSLATION_UNIT_DECL ||
              !*scope_name(outer) || !strcmp(scope_name(outer), "::"));
    }
    if (TYPE_P(scope) || TREE_CODE(scope) == NAMESPACE_DECL)
      is_named |= names_atomics(scope_name(scope));
  }
  return false;
}

simple_ipa_opt_pass *uplock::make_keep_pass(gcc::context *context) {
  return new KeepPass(context);
}
