// SPDX-License-Identifier: GPL-3.0-or-later
//
// Is the table exact? Each entry must point at the first byte of an instruction
// that one byte locks and unlocks, no two at the same one. A switch (test or
// jmp) must, as a test, be followed by the exchange that it guards, and, as a
// jmp, lead within its function to a cmpxchg that is in the table itself.
//
// What each instruction is, the bytes say: no claim of the compiler's is used
// but the symbols, from which decoding starts.

#ifndef UPLOCK_PROOF_H
#define UPLOCK_PROOF_H

#include <map>
#include <set>
#include <string>
#include <vector>

#include "code.h"
#include "site.h"
#include "table.h"

namespace uplock {

// What -fplugin-arg-uplock-cover calls them.
enum class Cover : uint8_t { rmw, fence, store, exchange };
const char *in_words(Cover kind);

struct Site {
  Place place;
  Place entry;
  Patch patch;
  Cover kind;
};

class Proof {
public:
  Proof(const ElfFile &file, const Functions &functions, Code &code,
        const Table &table);

  // Proven, in order of place.
  std::vector<Site> sites;
  std::vector<std::string> findings;
  // Exchanges that stand behind a switch.
  std::set<Place> switched;

  size_t up_count() const;
  bool is_site(Place place) const;
  // `0x401136 main: lock incl (%rdi)`
  std::string describe(Place place) const;

private:
  const ElfFile &file;
  const Functions &functions;
  Code &code;
  std::map<size_t, std::vector<Relocation>> relocations;

  void find(Place place, const std::string &what);
  void check_entry(const Entry &entry);
  void check_switch(const Site &site);
  std::optional<Place> jump_target(Place place, const Instruction &instruction);
  template <typename Wanted> std::optional<Place> reach(Place from, Wanted);
};

} // namespace uplock

#endif
