// SPDX-License-Identifier: GPL-3.0-or-later

#include "progress.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <sys/ioctl.h>
#include <unistd.h>

#include "output.h"

using namespace uplock;

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto first_after = std::chrono::seconds(1);
constexpr auto again_after = std::chrono::milliseconds(100);

bool is_there = false; // the line

bool has_terminal() {
  const char *kind = getenv("TERM");
  return isatty(STDERR_FILENO) && kind && *kind && strcmp(kind, "dumb");
}

// What fits on one line: its end, where a member's name is. A line that wraps
// could not be rewritten.
std::string shortened(const std::string &text, size_t used) {
  winsize size{};
  size_t columns = 80;
  if (!ioctl(STDERR_FILENO, TIOCGWINSZ, &size) && size.ws_col)
    columns = size.ws_col;
  size_t room = columns > used + 4 ? columns - used - 4 : 0;
  if (text.size() < room)
    return text;
  size_t at = text.size() - room;
  while (at < text.size() && (text[at] & 0xc0) == 0x80)
    at++; // not within a character of UTF-8
  return "..." + text.substr(at);
}

} // namespace

void uplock::show_progress(double part, const std::string &name) {
  static const bool is_wanted = has_terminal();
  static Clock::time_point next = Clock::now() + first_after;
  if (!is_wanted || Clock::now() < next)
    return;
  next = Clock::now() + again_after;
  char percent[32];
  int length =
      snprintf(percent, sizeof percent, "uplock: %3.0f%% ", 100 * part);
  fprintf(stderr, "\r%s%s\033[K", percent,
          shortened(printable(name), length).c_str());
  is_there = true;
}

void uplock::erase_progress() {
  if (!is_there)
    return;
  fputs("\r\033[K", stderr);
  is_there = false;
}
