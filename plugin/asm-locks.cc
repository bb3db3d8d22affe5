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
//   rep; lock; incl %0      je 0f; lock; 0: cmpxchg %1,%2
//
// and leaves alone what only looks like it: comments, strings, symbols with
// lock in their names. A statement that is assembled more than once or perhaps
// not at all (.rept, .macro, .if) can have no label, so texts with those are
// left alone, as are locks in another section (.pushsection). An xchg needs no
// LOCK: without one it is locked too.
//
// It goes in two steps, as for the real reader: first what `final` will print
// (one of {att|intel}, operands in place of %0), then the assembler's syntax in
// that (GNU as, app.c and read.c).

#include "asm-locks.h"

#include <cctype>
#include <cstring>

namespace uplock {
namespace {

// Stands for an operand, of which only that it is part of a word matters:
// `lock%=:` is a label.
constexpr char operand = '\1';

// A text as `final` prints it, and where each character comes from.
struct Printed {
  std::string text;
  std::vector<size_t> origin;

  void add(char c, size_t from) {
    text += c;
    origin.push_back(from);
  }
};

// The end of the operand at TEXT[AT], which is behind a '%': a digit, [name],
// either with a letter before it, or a single character.
size_t end_of_operand(const std::string &text, size_t at) {
  if (at < text.size() && isalpha(static_cast<unsigned char>(text[at])))
    at++;
  if (at < text.size() && text[at] == '[') {
    size_t end = text.find(']', at);
    return end == std::string::npos ? text.size() : end + 1;
  }
  size_t first = at;
  while (at < text.size() && isdigit(static_cast<unsigned char>(text[at])))
    at++;
  bool is_mark = at == first && at < text.size() &&
                 !isalpha(static_cast<unsigned char>(text[at - 1]));
  return is_mark ? at + 1 : at;
}

// What `final` prints of TEXT (final.cc, output_asm_insn).
Printed print(const std::string &text, AsmSyntax syntax) {
  Printed printed;
  bool in_alternatives = false;
  int alternative = 0;
  for (size_t at = 0; at < text.size();) {
    char c = text[at];
    bool is_shown = !in_alternatives || alternative == syntax.dialect;
    size_t next = at + 1;
    if (!syntax.has_operands) {
      printed.add(c, at);
    } else if (c == '%' && next < text.size()) {
      if (strchr("%{|}", text[next])) {
        if (is_shown)
          printed.add(text[next], at);
        next++;
      } else {
        // %; is nothing, or a separator for old assemblers.
        if (is_shown)
          printed.add(text[next] == ';' ? ' ' : operand, at);
        next = end_of_operand(text, next);
      }
    } else if (c == '{' && !in_alternatives) {
      in_alternatives = true;
      alternative = 0;
    } else if (c == '|' && in_alternatives) {
      alternative++;
    } else if (c == '}' && in_alternatives) {
      in_alternatives = false;
    } else if (is_shown) {
      printed.add(c, at);
    }
    at = next;
  }
  return printed;
}

bool is_word(char c) {
  return isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '.' ||
         c == '$' || c == operand;
}

bool is_prefix(const std::string &word) {
  static const char *const prefixes[] = {
      "lock", "xacquire", "xrelease", "data16", "data32", "addr16",  "addr32",
      "cs",   "ds",       "es",       "fs",     "gs",     "ss",      "rep",
      "repe", "repz",     "repne",    "repnz",  "bnd",    "notrack",
  };
  for (const char *prefix : prefixes)
    if (word == prefix)
      return true;
  return false;
}

bool begins_with_any(const std::string &word,
                     std::initializer_list<const char *> starts) {
  for (const char *start : starts)
    if (word.compare(0, strlen(start), start) == 0)
      return true;
  return false;
}

// Reads what is printed, statement by statement.
class Scanner {
public:
  explicit Scanner(const std::string &text) : text(text) {}

  // The offsets of the statements that begin with LOCK; none if the text
  // cannot have labels.
  std::vector<size_t> scan() {
    while (at < text.size())
      step();
    end_statement();
    if (lock_of.start != nowhere)
      end_instruction(); // at the end of the text, a lock alone
    if (!can_have_labels)
      found.clear();
    return found;
  }

private:
  const std::string &text;
  std::vector<size_t> found;
  size_t at = 0;
  bool can_have_labels = true;

  // Sections that the text has gone into and not left.
  int other_sections = 0;

  // The prefixes of an instruction, which may be statements of their own.
  static constexpr size_t nowhere = static_cast<size_t>(-1);
  struct Prefixes {
    size_t start = nowhere; // of the first one
    bool has_lock = false;
  };
  Prefixes lock_of;

  // The statement so far, and the prefixes that stood before it.
  Prefixes before;
  unsigned words = 0;
  std::string instruction; // the first word that is no prefix

  void begin_statement() {
    before = lock_of;
    words = 0;
  }

  // Prefixes alone belong to what follows.
  void end_statement() {
    if (!instruction.empty())
      end_instruction();
    begin_statement();
  }

  void end_instruction() {
    bool is_xchg = begins_with_any(instruction, {"xchg"});
    if (lock_of.has_lock && !other_sections && !is_xchg)
      found.push_back(lock_of.start);
    lock_of = {};
    instruction.clear();
  }

  // Something that is neither a prefix nor a word: no prefix follows.
  void note_rest() {
    if (instruction.empty())
      instruction = "?";
  }

  void step() {
    char c = text[at];
    if (c == '\n' || c == ';') {
      at++;
      end_statement();
    } else if (isspace(static_cast<unsigned char>(c))) {
      at++;
    } else if (!text.compare(at, 2, "/*")) {
      size_t end = text.find("*/", at + 2);
      at = end == std::string::npos ? text.size() : end + 2;
    } else if (c == '#' || (c == '/' && !words && instruction.empty())) {
      size_t end = text.find('\n', at);
      at = end == std::string::npos ? text.size() : end;
    } else if (is_word(c)) {
      step_over_word();
    } else {
      step_over_rest(c);
    }
  }

  void step_over_rest(char c) {
    at++;
    if (c == ':' && words == 1) { // that was a label
      lock_of = before;
      instruction.clear();
      words = 0;
    } else if (c == '=' && words == 1) { // a symbol's value
      lock_of = before;
      instruction = "=";
    } else if (c == '/' && words && instruction.empty()) {
      // lock/incl: another way to write a space
    } else if (c == '{' && instruction.empty()) { // {disp32} lock incl
      if (lock_of.start == nowhere)
        lock_of.start = at - 1;
      size_t end = text.find('}', at);
      at = end == std::string::npos ? text.size() : end + 1;
    } else {
      note_rest();
      if (c == '"')
        step_over_string();
      else if (c == '\'')
        step_over_character();
    }
  }

  void step_over_string() {
    for (; at < text.size() && text[at] != '"'; at++)
      if (text[at] == '\\')
        at++;
    at++;
    words++;
  }

  // 'c, 'c' or '\n
  void step_over_character() {
    at += text[at] == '\\' ? 2 : 1;
    if (at < text.size() && text[at] == '\'')
      at++;
  }

  void step_over_word() {
    size_t first = at;
    std::string word;
    for (; at < text.size() && is_word(text[at]); at++)
      word += static_cast<char>(tolower(static_cast<unsigned char>(text[at])));
    words++;
    if (!instruction.empty())
      return;
    if (!is_prefix(word)) {
      instruction = word;
      note_directive(word);
      return;
    }
    if (lock_of.start == nowhere)
      lock_of.start = first;
    lock_of.has_lock = lock_of.has_lock || word == "lock";
  }

  void note_directive(const std::string &word) {
    if (begins_with_any(word,
                        {".rep", ".irp", ".irep", ".macro", ".if", ".include"}))
      can_have_labels = false;
    else if (word == ".pushsection" || word == ".section" ||
             word == ".subsection" || word == ".text" || word == ".data" ||
             word == ".bss")
      other_sections++;
    else if ((word == ".popsection" || word == ".previous") && other_sections)
      other_sections--;
  }
};

} // namespace

std::vector<size_t> find_asm_locks(const std::string &text, AsmSyntax syntax) {
  // It keeps a table itself, as Linux's LOCK_PREFIX does.
  if (text.find(".smp_locks") != std::string::npos)
    return {};
  Printed printed = print(text, syntax);
  std::vector<size_t> found = Scanner(printed.text).scan();
  for (size_t &start : found)
    start = printed.origin[start];
  return found;
}

} // namespace uplock
