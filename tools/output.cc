// SPDX-License-Identifier: GPL-3.0-or-later

#include "output.h"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "progress.h"

using namespace uplock;

namespace {

// How many bytes of TEXT, from AT on, are one character of UTF-8; 0 if they are
// none (RFC 3629, section 4).
size_t utf8_length(const std::string &text, size_t at) {
  auto byte = [&](size_t i) -> unsigned {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0;
  };
  unsigned first = byte(at), second = byte(at + 1);
  if (first < 0x80)
    return 1;
  if (first < 0xc2 || first > 0xf4)
    return 0;
  size_t length = first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  for (size_t i = 1; i < length; i++)
    if ((byte(at + i) & 0xc0) != 0x80)
      return 0;
  bool is_wrong =
      (first == 0xe0 && second < 0xa0) || (first == 0xed && second > 0x9f) ||
      (first == 0xf0 && second < 0x90) || (first == 0xf4 && second > 0x8f);
  return is_wrong ? 0 : length;
}

std::string quoted(const std::string &text) {
  std::string result = "\"";
  for (size_t i = 0; i < text.size();) {
    size_t length = utf8_length(text, i);
    unsigned char c = text[i];
    if (!length) {
      result += "\\ufffd";
      i++;
    } else if (c < ' ' || c == 0x7f) {
      char escape[8];
      snprintf(escape, sizeof escape, "\\u%04x", c);
      result += escape;
      i++;
    } else {
      if (c == '"' || c == '\\')
        result += '\\';
      result.append(text, i, length);
      i += length;
    }
  }
  return result + '"';
}

} // namespace

std::string uplock::printable(std::string text) {
  for (char &c : text)
    if (static_cast<unsigned char>(c) < ' ' || c == 0x7f)
      c = '?';
  return text;
}

void uplock::print_line(const std::string &line) {
  erase_progress();
  puts(printable(line).c_str());
}

void uplock::print_error(const std::string &subject, const std::string &what) {
  erase_progress();
  fflush(stdout);
  fprintf(stderr, "uplock: %s\n", printable(subject + ": " + what).c_str());
}

bool uplock::finish_output() {
  erase_progress();
  if (!fflush(stdout) && !ferror(stdout))
    return true;
  print_error("standard output", strerror(errno));
  return false;
}

std::string uplock::count(uint64_t number, const std::string &noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

void Json::start(const char *key) {
  if (!is_first)
    text += ',';
  if (depth)
    text += '\n' + std::string(2 * depth, ' ');
  if (key)
    text += quoted(key) + ": ";
  is_first = false;
}

Json &Json::begin(char bracket, const char *key) {
  start(key);
  text += bracket;
  depth++;
  is_first = true;
  return *this;
}

Json &Json::end(char bracket) {
  depth--;
  if (!is_first)
    text += '\n' + std::string(2 * depth, ' ');
  text += bracket;
  is_first = false;
  if (!depth) {
    erase_progress();
    puts(text.c_str());
    text.clear();
  }
  return *this;
}

Json &Json::string(const char *key, const std::string &value) {
  start(key);
  text += quoted(value);
  return *this;
}

Json &Json::number(const char *key, uint64_t value) {
  start(key);
  text += std::to_string(value);
  return *this;
}

Json &Json::decimal(const char *key, double value) {
  start(key);
  char digits[64];
  snprintf(digits, sizeof digits, "%.3f", value);
  text += digits;
  return *this;
}

Json &Json::boolean(const char *key, bool value) {
  start(key);
  text += value ? "true" : "false";
  return *this;
}
