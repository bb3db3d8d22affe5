// SPDX-License-Identifier: GPL-3.0-or-later
//
// Reads any bytes as the subcommands of `uplock` read a file, for
// libFuzzer; and where a table holds, patches it there and back, which must
// give the same bytes. scripts/fuzz builds and runs it.

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "archive.h"
#include "code.h"
#include "debug-info.h"
#include "function-proof.h"
#include "functions.h"
#include "link-time.h"
#include "linked-proof.h"
#include "linked-table-writer.h"
#include "proof.h"
#include "signature.h"
#include "table-writer.h"
#include "table.h"

using namespace uplock;

// Applies the patches of all tables that hold. How many sites are there?
static size_t patch(std::vector<uint8_t> &bytes, bool to_up) {
  size_t sites = 0;
  for_each_elf("input", {bytes.data(), bytes.size()}, [&](ElfFile &file) {
    Functions functions(file);
    Code code(file, functions);
    Proof proof(file, functions, code, read_table(file));
    if (!proof.findings.empty())
      return;
    sites += proof.sites.size();
    for (const Site &site : proof.sites) {
      size_t at = file.bytes.data - bytes.data() +
                  file.sections()[site.place.section].offset +
                  site.place.offset + site.patch.offset;
      bytes.at(at) = to_up ? site.patch.up : site.patch.smp;
    }
  });
  return sites;
}

// Gives tables to what has none. In a damaged file they need not hold: `uplock
// scan` looks, and then writes nothing.
static void scan(const uint8_t *data, size_t size) {
  std::map<uint64_t, std::vector<uint8_t>> changed;
  for_each_elf("input", {data, size}, [&](ElfFile &file) {
    if (read_table(file).exists || !signature_in(file).empty())
      return;
    std::map<size_t, std::vector<uint64_t>> sites;
    size_t count = 0;
    std::set<uint64_t> addresses;
    for (const ProvenFunction &function : file.is_relocatable()
                                              ? prove_functions(file)
                                              : prove_linked_functions(file))
      for (const Locked &locked : function.locks)
        if (function.refusal.empty() && locked.kind == Kind::lock) {
          sites[locked.place.section].push_back(locked.place.offset);
          addresses.insert(file.sections()[locked.place.section].address +
                           locked.place.offset);
          count++;
        }
    if (!count)
      return;
    std::vector<uint8_t> result =
        file.is_relocatable()
            ? add_tables(file, sites)
            : add_linked_table(file, {addresses.begin(), addresses.end()});
    ElfFile written("output", {result.data(), result.size()});
    if (read_table(written).entries.size() != count)
      return;
    changed[file.bytes.data - data] = result;
  });
  std::vector<uint8_t> whole = with_members({data, size}, changed);
  for_each_elf("output", {whole.data(), whole.size()}, [](ElfFile &) {});
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  elf_version(EV_CURRENT);
  if (!size)
    return 0;
  try {
    for_each_elf("input", {data, size}, [&](ElfFile &file) {
      Functions functions(file);
      Code code(file, functions);
      Table table = read_table(file);
      Proof proof(file, functions, code, table);
      DebugInfo debug(file);
      for (const Site &site : proof.sites)
        debug.line_of(site.place);
      std::vector<Place> missing;
      for (const Locked &locked : code.locked()) {
        missing.push_back(locked.place);
        proof.describe(locked.place);
        debug.line_of(locked.place);
        debug.unit_of(locked.place);
      }
      find_link_without_plugin(file, table, missing);
      signature_in(file);
    });
    scan(data, size);

    std::vector<uint8_t> smp(data, data + size);
    size_t sites = patch(smp, false);
    std::vector<uint8_t> up = smp;
    if (patch(up, true) != sites)
      abort();
    std::vector<uint8_t> back = up;
    if (patch(back, false) != sites || back != smp)
      abort();
  } catch (const Unusable &) {
  }
  return 0;
}
