// SPDX-License-Identifier: GPL-3.0-or-later
//
// The second pass: write the function's entries into the table `.smp_locks`.
//
// It stands just after `final`: the labels have been printed, the function's
// text sections are still known, and what is written now cannot come between
// two instructions.
//
// The entries must live and die with the code, under every linker:
// - each text section gets a table section of its own, kept apart from the
//   others of that name by `unique`;
// - it joins the COMDAT group of the text section, if there is one (`?`), so
//   that a discarded copy of a function takes its entries along;
// - the text section refers to it through a relocation that changes no byte
//   (R_X86_64_NONE), so that --gc-sections keeps both or drops both. The
//   linker follows references from what is alive: without one the table would
//   be dropped, and with KEEP it would keep dead functions.
// SHF_LINK_ORDER ("o") is made for this, but gold and mold drop the section.

#include "gcc.h"
#include "sites.h"

#include <map>

using namespace uplock;

namespace {

// What `unique` calls the first table section: numbers that
// runtime/uplock-asm.h does not use, whose sections are in the same file.
constexpr unsigned first_unique = 4000000000;

const pass_data table_pass_data = {
    RTL_PASS, "uplock_table", OPTGROUP_NONE, TV_NONE, 0, 0, 0, 0, 0};

struct TablePass final : rtl_opt_pass {
  explicit TablePass(gcc::context *context)
      : rtl_opt_pass(table_pass_data, context) {}

  bool gate(function *) override { return !function_sites.empty(); }
  unsigned int execute(function *) override;

private:
  // The table section of each text section: a number, from 1.
  std::map<const section *, unsigned> tables;

  void write_part(bool second_part);
};

// The text section that holds one part of the current function, as `final`
// chose it (varasm.cc, assemble_start_function and current_function_section).
section *section_of_part(bool second_part) {
  bool saved = in_cold_section_p;
  in_cold_section_p = first_function_block_is_cold != second_part;
  section *text = current_function_section();
  in_cold_section_p = saved;
  return text;
}

#if UPLOCK_TARGET_X86
const char *none_relocation() {
  return TARGET_64BIT ? "R_X86_64_NONE" : "R_386_NONE";
}
#else
const char *none_relocation() { gcc_unreachable(); }
#endif

void TablePass::write_part(bool second_part) {
  const Site *first = nullptr;
  for (const Site &site : function_sites)
    if (site.second_part == second_part && !first)
      first = &site;
  if (!first)
    return;

  section *text = section_of_part(second_part);
  unsigned &table = tables[text];
  bool is_new = !table;
  if (is_new)
    table = tables.size();

  // `?` reads the group off the section that is current.
  switch_to_section(text);
  fprintf(asm_out_file,
          "\t.pushsection\t.smp_locks,\"a?\",@progbits,unique,%u\n",
          first_unique + table);
  if (is_new)
    fprintf(asm_out_file, "\t.balign\t4\n.Luplock%u:\n", table);
  char label[64];
  for (const Site &site : function_sites)
    if (site.second_part == second_part) {
      ASM_GENERATE_INTERNAL_LABEL(label, "L", site.label);
      fprintf(asm_out_file, "\t.long\t%s-.\n", label + (label[0] == '*'));
    }
  fprintf(asm_out_file, "\t.popsection\n");
  if (is_new) {
    ASM_GENERATE_INTERNAL_LABEL(label, "L", first->label);
    fprintf(asm_out_file, "\t.reloc\t%s, %s, .Luplock%u\n",
            label + (label[0] == '*'), none_relocation(), table);
  }
}

unsigned int TablePass::execute(function *) {
  section *saved = in_section;
  write_part(false);
  write_part(true);
  switch_to_section(saved);
  function_sites.clear();
  return 0;
}

} // namespace

rtl_opt_pass *uplock::make_table_pass(gcc::context *context) {
  return new TablePass(context);
}
