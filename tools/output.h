// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the command prints. Names come out of files: nothing in them may reach a
// terminal as a control sequence, or break JSON.

#ifndef UPLOCK_OUTPUT_H
#define UPLOCK_OUTPUT_H

#include <cstdint>
#include <string>

namespace uplock {

// The exit statuses of all subcommands; the greatest of several files' counts.
enum Status { holds = 0, does_not_hold = 1, unusable = 2 };

// TEXT without control characters.
std::string printable(std::string text);

// A line on standard output.
void print_line(const std::string &line);
// `uplock: SUBJECT: what` on standard error.
void print_error(const std::string &subject, const std::string &what);
// Was everything written? If not, an error is printed.
bool finish_output();

// "1 site", "2 sites"
std::string count(uint64_t number, const std::string &noun);

// Writes JSON onto standard output, indented, at once when it is complete: what
// is said of files that cannot be used stands in front of it, not within.
class Json {
public:
  Json &begin(char bracket, const char *key = nullptr);
  Json &end(char bracket);
  Json &string(const char *key, const std::string &value);
  Json &number(const char *key, uint64_t value);
  Json &decimal(const char *key, double value); // three digits
  Json &boolean(const char *key, bool value);

private:
  std::string text;
  int depth = 0;
  bool is_first = true;

  void start(const char *key);
};

} // namespace uplock

#endif
