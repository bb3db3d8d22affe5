// SPDX-License-Identifier: GPL-3.0-or-later
//
// Marking functions as kept or patched: attributes, pragmas, and which of them
// decides.
//
//   [[uplock::keep]]   __attribute__((uplock_keep))    #pragma uplock keep
//   [[uplock::patch]]  __attribute__((uplock_patch))   #pragma uplock patch
//                                                      #pragma uplock pop
//
// Of several, the nearest decides: the function's own attribute; the function
// that it stands in (a lambda, a local class, a nested function); the pragma in
// force where its name stands; -fplugin-arg-uplock-default. The pragma is
// looked up by the place in the source and not by the time of parsing, because
// a template is instantiated long after the region that its definition stands
// in.
//
// Whatever decides, the outcome is an attribute on the declaration. From there
// on GCC itself sees to it that the mark is not lost: clones and split-off
// parts copy the attributes, link-time optimisation streams them, identical
// code folding does not merge functions whose attributes differ. What is left
// is inlining: a kept function is not inlined into one that is not kept
// (can_inline_p). The other way round it may be, and is kept by that.

#include "keep.h"
#include "keep-marks.h"

#include "c-family/c-pragma.h"

#include <vector>

// Only the compilers for C and C++ have them. Without `weak` no other could
// load the plugin.
#pragma weak c_register_pragma
#pragma weak pragma_lex

using namespace uplock;

bool uplock::is_kept_by_default = false;

namespace {

constexpr char keep_attribute[] = "uplock_keep";
constexpr char patch_attribute[] = "uplock_patch";
// Kept where it stands on its own, but free to be inlined anywhere.
constexpr char kept_copy_attribute[] = "uplock kept copy";

bool has_attribute(const_tree function, const char *name) {
  return lookup_attribute(name, DECL_ATTRIBUTES(function)) != NULL_TREE;
}

void add_attribute(tree function, const char *name) {
  if (!has_attribute(function, name))
    DECL_ATTRIBUTES(function) =
        tree_cons(get_identifier(name), NULL_TREE, DECL_ATTRIBUTES(function));
}

// Attributes.

// Marks *NODE, a declaration, with MARK unless it is no function or has the
// opposite mark already. GCC hands over the previous declaration, if there is
// one, behind it (attribs.c, decl_attributes).
void mark(tree *node, tree name, const char *mark, const char *opposite,
          bool *no_add_attributes) {
  *no_add_attributes = true;
  if (TREE_CODE(*node) != FUNCTION_DECL)
    warning(OPT_Wattributes, "%qE attribute ignored: it is for functions",
            name);
  else if (has_attribute(*node, opposite) ||
           (node[1] && has_attribute(node[1], opposite))) {
    bool is_shown =
        warning(OPT_Wattributes,
                "ignoring attribute %qE because it conflicts with attribute "
                "%qs",
                name, opposite);
    if (is_shown && node[1] && has_attribute(node[1], opposite))
      inform(DECL_SOURCE_LOCATION(node[1]), "previous declaration here");
  } else
    add_attribute(*node, mark);
}

tree handle_keep(tree *node, tree name, tree, int, bool *no_add_attributes) {
  mark(node, name, keep_attribute, patch_attribute, no_add_attributes);
  return NULL_TREE;
}

tree handle_patch(tree *node, tree name, tree, int, bool *no_add_attributes) {
  mark(node, name, patch_attribute, keep_attribute, no_add_attributes);
  return NULL_TREE;
}

// Known only so that GCC's own `copy`, which hands over every attribute of
// another function, can be told that this one stays where it is: the default
// decides for each function by itself.
tree handle_kept_copy(tree *, tree, tree, int, bool *no_add_attributes) {
  *no_add_attributes = true;
  return NULL_TREE;
}

attribute_spec make_spec(const char *name, decltype(&handle_keep) handler) {
  attribute_spec spec{};
  spec.name = name;
  spec.decl_required = true;
  spec.handler = handler;
  return spec;
}

// GCC 14 changed how attributes in a namespace are registered; the first form
// is taken where it exists.
template <class Spec>
auto register_scoped(const Spec *specs, size_t, int)
    -> decltype(register_scoped_attributes(specs, "uplock"), void()) {
  register_scoped_attributes(specs, "uplock");
}
template <class Spec>
void register_scoped(const Spec *specs, unsigned count, long) {
  register_scoped_attributes({"uplock", {specs, count}});
}

void register_attributes(void *, void *) {
  static const attribute_spec gnu[] = {
      make_spec(keep_attribute, handle_keep),
      make_spec(patch_attribute, handle_patch),
      make_spec(kept_copy_attribute, handle_kept_copy),
  };
  for (const attribute_spec &spec : gnu)
    register_attribute(&spec);
  // The older form of the call wants an end mark.
  static const attribute_spec scoped[] = {
      make_spec("keep", handle_keep),
      make_spec("patch", handle_patch),
      attribute_spec{},
  };
  register_scoped(scoped, 2, 0);
}

// Pragmas.

// From a place in the source to the next one.
struct Region {
  location_t start;
  bool is_kept;
  bool is_outermost; // behind the last pop: the default holds again
};
std::vector<Region> regions;    // in the order of the source
std::vector<bool> open_regions; // what `pop` goes back to

// Reads the rest of a pragma; false, with a warning, if there is anything or if
// this is no place for it.
bool check_pragma(const char *name) {
  tree token;
  if (pragma_lex(&token) != CPP_EOF) {
    warning(OPT_Wpragmas, "junk at end of %<#pragma uplock %s%>", name);
    return false;
  }
  if (current_function_decl) {
    warning(OPT_Wpragmas,
            "%<#pragma uplock %s%> is not allowed inside functions", name);
    return false;
  }
  return true;
}

bool kept_at_end() {
  return regions.empty() ? is_kept_by_default : regions.back().is_kept;
}

void push_region(bool is_kept) {
  open_regions.push_back(kept_at_end());
  regions.push_back({input_location, is_kept, false});
}

void handle_pragma_keep(cpp_reader *) {
  if (check_pragma("keep"))
    push_region(true);
}

void handle_pragma_patch(cpp_reader *) {
  if (check_pragma("patch"))
    push_region(false);
}

void handle_pragma_pop(cpp_reader *) {
  if (!check_pragma("pop"))
    return;
  if (open_regions.empty()) {
    warning(OPT_Wpragmas,
            "no matching %<#pragma uplock keep%> or "
            "%<#pragma uplock patch%> for %<#pragma uplock pop%>");
    return;
  }
  regions.push_back(
      {input_location, open_regions.back(), open_regions.size() == 1});
  open_regions.pop_back();
}

void register_pragmas(void *, void *) {
  c_register_pragma("uplock", "keep", handle_pragma_keep);
  c_register_pragma("uplock", "patch", handle_pragma_patch);
  c_register_pragma("uplock", "pop", handle_pragma_pop);
}

// The region that the place LOCATION is in, or null where the default holds.
// Places are in the order in which they are read, through all inclusions and
// within the expansion of a macro (_Pragma).
const Region *region_at(location_t location) {
  const Region *result = nullptr;
  for (const Region &region : regions)
    if (linemap_location_before_p(line_table, region.start, location))
      result = &region;
  return result && !result->is_outermost ? result : nullptr;
}

// The function that FUNCTION stands in, or null.
const_tree enclosing_function(const_tree function) {
  for (const_tree scope = DECL_CONTEXT(function); scope;)
    if (TREE_CODE(scope) == FUNCTION_DECL)
      return scope;
    else if (TYPE_P(scope))
      scope = TYPE_CONTEXT(scope);
    else if (TREE_CODE(scope) == BLOCK || !DECL_P(scope))
      break;
    else
      scope = DECL_CONTEXT(scope);
  return NULL_TREE;
}

// Is FUNCTION one that C++ makes up to initialise the variables of a file? They
// stand where their initialisers are executed, not where they are written.
bool initialises_variables(const_tree function) {
  if (!DECL_ARTIFICIAL(function) || !DECL_NAME(function))
    return false;
  const char *name = IDENTIFIER_POINTER(DECL_NAME(function));
  return !strncmp(name, "__static_initialization_and_destruction", 39) ||
         !strncmp(name, "_GLOBAL__", 9) || !strncmp(name, "__tls_init", 10);
}

// Does a pragma of this file keep anything?
bool has_kept_region() {
  for (const Region &region : regions)
    if (region.is_kept)
      return true;
  return false;
}

bool (*target_can_inline)(tree, tree);

// The border: what is kept does not go where it would not be, nor into what may
// go there.
bool can_inline(tree caller, tree callee) {
  if (is_kept_everywhere(callee) && !is_kept_everywhere(caller) &&
      !seen_error())
    return false;
  return target_can_inline(caller, callee);
}

// A function has been parsed: mark it before anything is made of it, such as
// the functions that OpenMP splits off. Of a class's member, GCC shows the
// handler above one declaration only: two may have left opposite marks.
void on_parsed_function(void *parsed, void *) {
  tree function = static_cast<tree>(parsed);
  if (has_attribute(function, keep_attribute) &&
      has_attribute(function, patch_attribute)) {
    warning_at(DECL_SOURCE_LOCATION(function), OPT_Wattributes,
               "ignoring attribute %qs because it conflicts with attribute %qs",
               patch_attribute, keep_attribute);
    DECL_ATTRIBUTES(function) =
        remove_attribute(patch_attribute, DECL_ATTRIBUTES(function));
  }
  mark_function(function);
}

} // namespace

bool uplock::is_to_be_kept(const_tree function) {
  if (has_attribute(function, keep_attribute))
    return true;
  if (has_attribute(function, patch_attribute))
    return false;
  if (const_tree outer = enclosing_function(function))
    return is_to_be_kept(outer);
  // Some of the variables may stand in the region.
  if (initialises_variables(function) && has_kept_region())
    return true;
  const Region *region = region_at(DECL_SOURCE_LOCATION(function));
  return region ? region->is_kept : is_kept_by_default;
}

bool uplock::is_kept_by_default_only(const_tree function) {
  if (!is_kept_by_default || has_attribute(function, keep_attribute) ||
      has_attribute(function, patch_attribute))
    return false;
  if (const_tree outer = enclosing_function(function))
    return is_kept_by_default_only(outer);
  return !region_at(DECL_SOURCE_LOCATION(function));
}

void uplock::mark_function(tree function) {
  if (TREE_CODE(function) != FUNCTION_DECL || !is_to_be_kept(function))
    return;
  if (!has_attribute(function, keep_attribute) &&
      (is_atomic_member(function) || is_kept_by_default_only(function)))
    add_attribute(function, kept_copy_attribute);
  else
    add_attribute(function, keep_attribute);
}

void uplock::keep_everywhere(tree function) {
  add_attribute(function, keep_attribute);
}

bool uplock::is_kept_everywhere(const_tree function) {
  return has_attribute(function, keep_attribute);
}

bool uplock::is_kept(const_tree function) {
  return is_kept_everywhere(function) ||
         has_attribute(function, kept_copy_attribute);
}

void uplock::register_keep(const char *base_name) {
  register_callback(base_name, PLUGIN_ATTRIBUTES, register_attributes, nullptr);
  if (&c_register_pragma)
    register_callback(base_name, PLUGIN_PRAGMAS, register_pragmas, nullptr);
  register_callback(base_name, PLUGIN_PRE_GENERICIZE, on_parsed_function,
                    nullptr);
  target_can_inline = targetm.target_option.can_inline_p;
  targetm.target_option.can_inline_p = can_inline;
}
