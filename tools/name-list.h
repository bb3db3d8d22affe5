// SPDX-License-Identifier: GPL-3.0-or-later
//
// Names of functions, by extended regular expressions (POSIX) for whole names,
// as the linker or as C++ writes them.

#ifndef UPLOCK_NAME_LIST_H
#define UPLOCK_NAME_LIST_H

#include <memory>
#include <string>
#include <vector>

#include <regex.h>

namespace uplock {

class NameList {
public:
  // Both throw Unusable.
  void add(const std::string &expression);
  // A line each; `#` begins a comment.
  void add_file(const std::string &path);

  bool empty() const { return expressions.empty(); }
  bool has(const std::string &name) const;

private:
  std::vector<std::unique_ptr<regex_t, void (*)(regex_t *)>> expressions;
};

} // namespace uplock

#endif
