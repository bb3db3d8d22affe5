// SPDX-License-Identifier: GPL-3.0-or-later

#include "name-list.h"

#include <cerrno>
#include <cstring>
#include <fstream>

#include "functions.h"

using namespace uplock;

static void free_expression(regex_t *expression) {
  regfree(expression);
  delete expression;
}

void NameList::add(const std::string &expression) {
  if (expression.empty())
    throw Unusable("'': an empty expression, which no name matches");
  auto compiled = std::make_unique<regex_t>();
  int status = regcomp(compiled.get(), ("^(" + expression + ")$").c_str(),
                       REG_EXTENDED | REG_NOSUB);
  if (status) {
    char text[128];
    regerror(status, compiled.get(), text, sizeof text);
    throw Unusable("'" + expression + "': " + text);
  }
  expressions.push_back({compiled.release(), free_expression});
}

void NameList::add_file(const std::string &path) {
  std::ifstream stream(path);
  if (!stream)
    throw Unusable(strerror(errno));
  for (std::string line; std::getline(stream, line);)
    if (!line.empty() && line[0] != '#')
      add(line);
  if (stream.bad())
    throw Unusable("cannot be read");
}

bool NameList::has(const std::string &name) const {
  if (expressions.empty())
    return false;
  std::string readable = demangle(name);
  for (auto &expression : expressions)
    if (!regexec(expression.get(), name.c_str(), 0, nullptr, 0) ||
        !regexec(expression.get(), readable.c_str(), 0, nullptr, 0))
      return true;
  return false;
}
