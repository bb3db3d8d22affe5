// SPDX-License-Identifier: GPL-3.0-or-later
//
// The first pass: find the locked instructions and put a label in front of
// each.
//
// It stands just before `shorten`. Everything that moves, merges, splits or
// pads instructions has run by then (scheduling, block reordering, the
// machine's own reorg), so what is found here is what will be printed; and
// nothing that follows looks at more than the length of an instruction. At an
// earlier place an optimisation could still copy or delete a labelled
// instruction; at a later one (`final` itself) a plugin has no hook.
//
// The label is a note, NOTE_INSN_DELETED_LABEL: GCC's own means for printing
// a label whose code has gone. It has no length, belongs to no block and is no
// jump target, so neither alignment nor branch lengths can tell that it is
// there: the text stays byte-identical. An asm with the label in it would count
// as up to 16 bytes of code; a CODE_LABEL would be one more alignment
// candidate.
//
// Which instructions are locked is asked of the output template, the text that
// `final` is about to print, and not of the pattern's name: names differ
// between releases, `lock` does not. Some templates are C functions, and some
// of those print by themselves when called (nops of -mtune=bonnell,
// adjust_stack_and_probe of -fstack-check, mfence_nosse). Hence only an insn
// that reads a scalar in memory inside an UNSPEC_VOLATILE is asked, which is
// the form of every atomic in config/i386/sync.md and of none of those.

#include "asm-locks.h"
#include "exchange.h"
#include "fence.h"
#include "keep.h"
#include "sites.h"

#include <map>
#include <string>

using namespace uplock;

std::vector<Site> uplock::function_sites;

namespace {

const pass_data label_pass_data = {
    RTL_PASS, "uplock", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

// Does PAT have an UNSPEC_VOLATILE that reads a scalar in memory? For example
//   (set (mem:SI (reg:DI ax))
//        (unspec_volatile:SI [(plus:SI (mem:SI (reg:DI ax)) (const_int 1))
//                             (const_int 5)] UNSPECV_LOCK))
bool has_volatile_memory_access(const_rtx pat) {
  subrtx_iterator::array_type array;
  FOR_EACH_SUBRTX(iter, array, pat, NONCONST) {
    if (GET_CODE(*iter) != UNSPEC_VOLATILE)
      continue;
    for (int i = 0; i < XVECLEN(*iter, 0); i++) {
      subrtx_iterator::array_type inner_array;
      FOR_EACH_SUBRTX(inner, inner_array, XVECEXP(*iter, 0, i), NONCONST)
      if (MEM_P(*inner) && GET_MODE(*inner) != BLKmode)
        return true;
    }
  }
  return false;
}

// The text that `final` will print for INSN, dialects and operands unresolved.
// INSN is recognised and its template may be called (see above).
const char *output_template(rtx_insn *insn) {
  extract_constrain_insn(insn);
  const char *text = get_insn_template(INSN_CODE(insn), insn);
  // The template may have edited the operands that it was given (atomic_add
  // turns `add $-128` into `sub $128`). `final` must not find them cached.
  recog_data.insn = nullptr;
  return text;
}

// The mnemonic that begins TEXT, without the marks that `final` resolves:
// "lock{%;} %K3xadd{l}\t{%0, %1|%1, %0}" is "lock xaddl".
std::string mnemonic(const char *text) {
  std::string words;
  for (const char *p = text; *p && *p != '\t' && *p != '\n'; p++) {
    if (*p == '%') {
      p++;
      while (ISDIGIT(p[1]))
        p++;
    } else if (*p == '|') {
      while (p[1] && p[1] != '}')
        p++;
    } else if (*p != '{' && *p != '}') {
      words += *p;
    }
  }
  return words;
}

bool begins_with(const std::string &text, const char *start) {
  return text.compare(0, strlen(start), start) == 0;
}

struct LabelPass final : rtl_opt_pass {
  explicit LabelPass(gcc::context *context)
      : rtl_opt_pass(label_pass_data, context) {}

  unsigned int execute(function *) override;

private:
  // By insn code: 0 not seen yet, 1 no UNSPEC_VOLATILE in it, 2 there is one.
  // Few patterns have one, and the code decides it.
  std::vector<char> has_volatile = std::vector<char>(NUM_INSN_CODES);

  // The sites of this function by kind.
  std::map<SiteKind, int> counts;

  bool may_be_atomic(const rtx_insn *insn);
  void visit(rtx_insn *insn, bool second_part);
  void visit_asm(rtx_insn *insn, const std::string &text, AsmSyntax syntax,
                 bool second_part);
  void visit_exchange(rtx_insn *insn, const char *mnemonic, bool second_part);
  void record(rtx_insn *insn, SiteKind kind, const char *mnemonic,
              bool second_part);
};

// A cheap first look at INSN, which is recognised.
bool LabelPass::may_be_atomic(const rtx_insn *insn) {
  char &known = has_volatile[INSN_CODE(insn)];
  if (!known) {
    known = 1;
    subrtx_iterator::array_type array;
    FOR_EACH_SUBRTX(iter, array, PATTERN(insn), NONCONST)
    if (GET_CODE(*iter) == UNSPEC_VOLATILE)
      known = 2;
  }
  return known == 2 && has_volatile_memory_access(PATTERN(insn));
}

// A label of its own at INSN's first byte; its number.
int label_before(rtx_insn *insn) {
  rtx_note *note = emit_note_before(NOTE_INSN_DELETED, insn);
  NOTE_KIND(note) = NOTE_INSN_DELETED_LABEL;
  CODE_LABEL_NUMBER(note) = CODE_LABEL_NUMBER(gen_label_rtx());
  return CODE_LABEL_NUMBER(note);
}

const char *kind_name(SiteKind kind) {
  switch (kind) {
  case SiteKind::rmw:
    return "rmw";
  case SiteKind::store:
    return "store";
  case SiteKind::exchange:
    return "exchange";
  case SiteKind::fence:
    return "fence";
  case SiteKind::assembly:
    return "asm";
  }
  gcc_unreachable();
}

// One line of the dump: where, what, of which kind, and what came of it.
void dump_site(const rtx_insn *insn, const char *mnemonic, const char *kind,
               const char *verdict) {
  if (!dump_file)
    return;
  const char *file = INSN_HAS_LOCATION(insn) ? insn_file(insn) : nullptr;
  fprintf(dump_file, ";; uplock: %s:%d: %s: %s (insn %d): %s, %s\n",
          file ? file : "<unknown>", file ? insn_line(insn) : 0,
          current_function_name(), mnemonic, INSN_UID(insn), kind, verdict);
}

// What becomes of a site of KIND here, for the dump.
const char *verdict(SiteKind kind) {
  return is_covered(kind)                 ? "recorded"
         : is_kept(current_function_decl) ? "kept"
                                          : "not covered";
}

// Enters INSN, of KIND, if that is covered.
void LabelPass::record(rtx_insn *insn, SiteKind kind, const char *mnemonic,
                       bool second_part) {
  if (is_covered(kind)) {
    function_sites.push_back({label_before(insn), second_part});
    counts[kind]++;
  }
  dump_site(insn, mnemonic, kind_name(kind), verdict(kind));
}

// Is INSN the switch that exchange-pass.cc put in front of an exchange?
bool is_switch(const rtx_insn *insn) {
  rtx body = JUMP_P(insn) ? extract_asm_operands(PATTERN(insn)) : nullptr;
  return body && !strcmp(ASM_OPERANDS_TEMPLATE(body), switch_template);
}

// The part of INSN with the text of an asm statement, and how to read it; null
// if it is none. A basic asm is an ASM_INPUT, alone or with a clobber behind it
// (final.cc, final_scan_insn_1).
const_rtx asm_body(const rtx_insn *insn, AsmSyntax &syntax) {
  const_rtx body = PATTERN(insn);
  if (GET_CODE(body) == PARALLEL && GET_CODE(XVECEXP(body, 0, 0)) == ASM_INPUT)
    body = XVECEXP(body, 0, 0);
  if (GET_CODE(body) == ASM_INPUT) {
    syntax = {false, 0};
    return body;
  }
#ifdef ASSEMBLER_DIALECT
  syntax = {true, ASSEMBLER_DIALECT};
#else
  syntax = {true, 0};
#endif
  return extract_asm_operands(PATTERN(insn));
}

// Labels the LOCK prefixes in the text of the asm statement INSN:
//   "lock; incl %0" becomes ".L7: lock; incl %0".
// GCC guesses an asm's length by its lines and semicolons, and a label adds
// neither.
void LabelPass::visit_asm(rtx_insn *insn, const std::string &text,
                          AsmSyntax syntax, bool second_part) {
  if (is_kept(current_function_decl) &&
      text.find(".smp_locks") != std::string::npos)
    error_at(INSN_LOCATION(insn),
             "assembly in the kept function %qD enters itself in %qs; use a "
             "plain %<lock%>",
             current_function_decl, ".smp_locks");
  std::vector<size_t> starts = find_asm_locks(text, syntax);
  if (starts.empty())
    return;
  bool covered = is_covered(SiteKind::assembly);
  std::string labelled;
  size_t copied = 0;
  for (size_t start : starts) {
    dump_site(insn, "lock", kind_name(SiteKind::assembly),
              verdict(SiteKind::assembly));
    if (!covered)
      continue;
    int number = CODE_LABEL_NUMBER(gen_label_rtx());
    function_sites.push_back({number, second_part});
    counts[SiteKind::assembly]++;
    char label[64];
    ASM_GENERATE_INTERNAL_LABEL(label, "L", number);
    labelled += text.substr(copied, start - copied) +
                (label + (label[0] == '*')) + ": ";
    copied = start;
  }
  if (!covered)
    return;
  labelled += text.substr(copied);

  // An asm with several outputs has a copy of its text for each.
  const char *kept = ggc_strdup(labelled.c_str());
  subrtx_var_iterator::array_type array;
  FOR_EACH_SUBRTX_VAR(iter, array, PATTERN(insn), NONCONST)
  if (GET_CODE(*iter) == ASM_OPERANDS || GET_CODE(*iter) == ASM_INPUT)
    XSTR(*iter, 0) = kept;
}

// An xchg is a store, or it has a switch in front of it, or it stays. Which are
// stores is known only where they are asked for (dead-exchange-pass.cc).
void LabelPass::visit_exchange(rtx_insn *insn, const char *mnemonic,
                               bool second_part) {
  bool is_known = is_covered(SiteKind::store);
  if (is_known && dead_exchanges.count(INSN_UID(insn)))
    record(insn, SiteKind::store, mnemonic, second_part);
  else
    dump_site(insn, mnemonic,
              is_known ? kind_name(SiteKind::exchange) : "exchange or store",
              is_covered(SiteKind::exchange) ? "not recorded itself"
                                             : verdict(SiteKind::exchange));
}

void LabelPass::visit(rtx_insn *insn, bool second_part) {
  if (!NONDEBUG_INSN_P(insn))
    return;
  if (is_switch(insn)) {
    record(insn, SiteKind::exchange, "switch", second_part);
    return;
  }
  AsmSyntax syntax;
  if (const_rtx body = asm_body(insn, syntax)) {
    visit_asm(insn, XSTR(body, 0), syntax, second_part);
    return;
  }
  if (recog_memoized(insn) < 0)
    return;
  switch (fence_kind(insn)) {
  case Fence::locked_no_op:
    record(insn, SiteKind::fence, "lock or", second_part);
    return;
  case Fence::mfence:
    dump_site(insn, "mfence", kind_name(SiteKind::fence),
              is_covered(SiteKind::fence) ? "a builtin, not recorded"
                                          : verdict(SiteKind::fence));
    return;
  case Fence::none:
    break;
  }
  if (!may_be_atomic(insn))
    return;

  std::string name = mnemonic(output_template(insn));
  if (begins_with(name, "lock "))
    record(insn, SiteKind::rmw, name.c_str(), second_part);
  else if (begins_with(name, "xchg"))
    visit_exchange(insn, name.c_str(), second_part);
}

unsigned int LabelPass::execute(function *) {
  function_sites.clear();
  counts.clear();
  bool second_part = false;
  for (rtx_insn *insn = get_insns(); insn; insn = NEXT_INSN(insn)) {
    if (NOTE_P(insn) && NOTE_KIND(insn) == NOTE_INSN_SWITCH_TEXT_SECTIONS)
      second_part = true;
    visit(insn, second_part);
  }
  if (dump_file && !counts.empty()) {
    fprintf(dump_file, ";; uplock sites of %s:", current_function_name());
    for (const auto &count : counts)
      fprintf(dump_file, " %d %s", count.second, kind_name(count.first));
    fprintf(dump_file, "\n");
  }
  return 0;
}

} // namespace

rtl_opt_pass *uplock::make_label_pass(gcc::context *context) {
  return new LabelPass(context);
}
