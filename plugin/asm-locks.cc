// SPDX-License-Identifier: GPL-3.0-or-later
//
// Finding LOCK prefixes in the text of inline assembly.
//
// The compiler does not know what an asm statement contains; the assembler
// will. What can be known is where a statement of the assembler begins, and
// there a label can be put without changing a byte: at the start of the text,
// and behind each newline and semicolon, with labels of its own skipped. If the
// statement's first words are prefixes and lock is among them, it starts a
// locked instruction, or is the prefix itself (`lock; xadd`). That covers
//
//   lock; xadd %0,%1        lock xadd %0,%1       1: lock\n\tcmpxchg %1,%2
//   data16 lock incl %0     {lock incl %0|lock inc %0}
//
// and leaves alone what only looks like it: comments, strings, symbols with
// lock in their names. A statement that is assembled more than once or perhaps
// not at all (.rept, .macro, .if) can have no label, so texts with those are
// left alone, as are locks in another section (.pushsection). An xchg needs no
// LOCK: without one it is locked too.

#include "asm-locks.h"

#include <algorithm>
#include <cctype>
#include <cstring>

namespace uplock {
namespace {

bool is_word(char c) {
  return isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' ||
         c == '$';
}

bool is_prefix(const std::string &word) {
  static const char *const prefixes[] = {
      "lock",   "xacquire", "xrelease", "data16", "data32", "addr16",
      "addr32", "cs",       "ds",       "es",     "fs",     "gs",
      "ss",     "rep",      "repe",     "repz",   "repne",  "repnz",
  };
  for (const char *prefix : prefixes)
    if (word == prefix)
      return true;
  return false;
}

// Reads TEXT statement by statement.
class Scanner {
public:
  Scanner(const std::string &text, AsmSyntax syntax)
      : text(text), syntax(syntax) {}

  std::vector<size_t> scan() {
    while (at < text.size())
      step();
    end_statement();
    return found;
  }

private:
  const std::string &text;
  const AsmSyntax syntax;
  std::vector<size_t> found;
  size_t at = 0;

  // The braces of {att|intel}: which alternative is being read, or none.
  bool in_alternatives = false;
  int alternative = 0;

  // Sections that the text has gone into and not left.
  int other_sections = 0;

  // The statement so far.
  static constexpr size_t nowhere = static_cast<size_t>(-1);
  size_t start = nowhere; // of its first prefix
  bool only_prefixes = true, has_lock = false;
  std::string instruction; // the first word that is no prefix

  bool is_printed() const {
    return !in_alternatives || alternative == syntax.dialect;
  }

  void begin_statement() {
    start = nowhere;
    only_prefixes = true;
    has_lock = false;
    instruction.clear();
  }

  void end_statement() {
    if (has_lock && !other_sections && !is_before_xchg())
      found.push_back(start);
    begin_statement();
  }

  // Is the next word an xchg, in this statement (behind a LOCK that has just
  // been read) or, after `lock;`, in the next one?
  bool is_before_xchg() const {
    return instruction.compare(0, 4, "xchg") == 0 ||
           (instruction.empty() && next_word(at).compare(0, 4, "xchg") == 0);
  }

  std::string next_word(size_t from) const {
    while (from < text.size() && !is_word(text[from]))
      from++;
    size_t end = from;
    while (end < text.size() && is_word(text[end]))
      end++;
    return text.substr(from, end - from);
  }

  void step() {
    char c = text[at];
    if (c == '\n' || c == ';') {
      at++;
      if (is_printed())
        end_statement();
    } else if (syntax.has_operands && c == '%') {
      step_over_operand();
    } else if (syntax.has_operands && c == '{' && !in_alternatives) {
      in_alternatives = true;
      alternative = 0;
      at++;
    } else if (syntax.has_operands && c == '|' && in_alternatives) {
      alternative++;
      at++;
    } else if (syntax.has_operands && c == '}' && in_alternatives) {
      in_alternatives = false;
      at++;
    } else if (!text.compare(at, 2, "/*")) {
      size_t end = text.find("*/", at + 2);
      at = end == std::string::npos ? text.size() : end + 2;
    } else if (c == '"') {
      step_over_string();
    } else if (c == '#' || (c == '/' && is_empty())) {
      at = std::min(text.find('\n', at), text.size());
    } else if (is_word(c)) {
      step_over_word();
    } else {
      // A label's colon puts the statement's start behind it.
      if (is_printed() && !isspace(static_cast<unsigned char>(c))) {
        if (c == ':' && (only_prefixes || !has_lock))
          begin_statement();
        else
          only_prefixes = false;
      }
      at++;
    }
  }

  // %0 and the like are operands, no part of a prefix; %= belongs to a label.
  void step_over_operand() {
    if (is_printed())
      only_prefixes = false;
    at += 2;
  }

  void step_over_string() {
    if (is_printed())
      only_prefixes = false;
    for (at++; at < text.size() && text[at] != '"'; at++)
      if (text[at] == '\\')
        at++;
    at++;
  }

  void note_section(const std::string &directive) {
    if (directive == ".pushsection" || directive == ".section" ||
        directive == ".subsection" || directive == ".text" ||
        directive == ".data" || directive == ".bss")
      other_sections++;
    else if ((directive == ".popsection" || directive == ".previous") &&
             other_sections)
      other_sections--;
  }

  // Has the statement begun?
  bool is_empty() const { return only_prefixes && start == nowhere; }

  void step_over_word() {
    size_t first = at;
    std::string word;
    for (; at < text.size() && is_word(text[at]); at++)
      word += static_cast<char>(tolower(static_cast<unsigned char>(text[at])));
    if (!is_printed() || !only_prefixes)
      return;
    if (!is_prefix(word)) {
      only_prefixes = false;
      instruction = word;
      note_section(word);
      return;
    }
    if (start == nowhere)
      start = first;
    has_lock = has_lock || word == "lock";
  }
};

bool contains_any(const std::string &text,
                  std::initializer_list<const char *> words) {
  for (const char *word : words)
    if (text.find(word) != std::string::npos)
      return true;
  return false;
}

} // namespace

std::vector<size_t> find_asm_locks(const std::string &text, AsmSyntax syntax) {
  // The first: it keeps a table itself, as Linux's LOCK_PREFIX does.
  if (contains_any(text, {".smp_locks", ".rept", ".irp", ".macro", ".if"}))
    return {};
  return Scanner(text, syntax).scan();
}

} // namespace uplock
