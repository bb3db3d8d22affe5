// SPDX-License-Identifier: GPL-3.0-or-later
//
// The functions of a file, by its symbols, and which one a place is in. In a
// stripped file those that .eh_frame alone knows have their address for a name.

#ifndef UPLOCK_FUNCTIONS_H
#define UPLOCK_FUNCTIONS_H

#include <string>
#include <vector>

#include "elf-file.h"

namespace uplock {

struct Function {
  Place place;
  uint64_t size;    // 0: not known
  const char *name; // null: only its place is known
  bool is_function; // by its type; otherwise a label in assembly
};

class Functions {
public:
  explicit Functions(const ElfFile &file);

  // Sorted by place.
  const std::vector<Function> &all() const { return functions; }
  // The function that PLACE is in; or the label before it, or, in a file that
  // was not stripped, the function before it. Null if there is none.
  const Function *containing(Place place) const;
  // Its name as the linker knows it, "?" for null.
  std::string name_at(Place place) const;

private:
  const ElfFile &file;
  bool is_complete;
  std::vector<Function> functions;

  void add_frames();
  void sort();
};

// As C++ and Rust programmers write NAME.
std::string demangle(const std::string &name);

} // namespace uplock

#endif
