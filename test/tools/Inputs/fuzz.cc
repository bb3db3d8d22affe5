// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs every subcommand of `uplock` on any bytes, for libFuzzer, and judges
// what it did: the exit status, one error at most, and what it wrote.
// scripts/fuzz builds and runs it.
//
// The command is all there, but for the name of its main: the files that it
// reads and writes are files, in a directory of TMPDIR.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

#include <elf.h>
#include <unistd.h>

namespace fs = std::filesystem;
using Content = std::vector<uint8_t>;

int uplock_main(int argc, char **argv);
extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size);

namespace {

class Directory {
public:
  Directory() {
    const char *parent = getenv("TMPDIR");
    path = std::string(parent ? parent : "/tmp") + "/uplock-fuzz-XXXXXX";
    if (!mkdtemp(path.data()))
      abort();
  }
  ~Directory() { fs::remove_all(path); }

  std::string path;
} directory;

std::string in_directory(const std::string &name) {
  return directory.path + "/" + name;
}

void write(const std::string &name, const Content &bytes) {
  std::ofstream(in_directory(name), std::ios::binary)
      .write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
}

Content read(const std::string &name) {
  Content bytes(fs::file_size(in_directory(name)));
  std::ifstream(in_directory(name), std::ios::binary)
      .read(reinterpret_cast<char *>(bytes.data()), bytes.size());
  return bytes;
}

std::string last_command;

#define demand(condition)                                                      \
  do                                                                           \
    if (!(condition)) {                                                        \
      fprintf(stderr, "%s- not so: %s\n", last_command.c_str(), #condition);   \
      abort();                                                                 \
    }                                                                          \
  while (0)

// What a stream of the command's got.
class Captured {
public:
  explicit Captured(FILE *&stream) : stream(stream), before(stream) {
    stream = open_memstream(&text, &size);
  }
  ~Captured() {
    end();
    free(text);
  }
  std::string end() {
    if (stream != before) {
      fclose(stream);
      stream = before;
    }
    return {text, size};
  }

private:
  FILE *&stream, *before;
  char *text = nullptr;
  size_t size = 0;
};

// The exit status. Only if it is 0 may OUTPUT be there afterwards that was not
// there before, and nothing else.
int run(std::vector<std::string> words, const std::string &input,
        const std::string &output = "") {
  std::vector<std::string> before;
  for (auto &entry : fs::directory_iterator(directory.path))
    before.push_back(entry.path());
  last_command.clear();
  words.insert(words.begin(), "uplock");
  if (!output.empty())
    words.insert(words.end(), {"-o", in_directory(output)});
  words.push_back(in_directory(input));
  std::vector<char *> arguments;
  for (std::string &word : words) {
    arguments.push_back(word.data());
    last_command += word + " ";
  }
  arguments.push_back(nullptr);

  Captured out(stdout), errors(stderr);
  int status = uplock_main(words.size(), arguments.data());
  std::string said = out.end(), complaint = errors.end();

  demand(status >= 0 && status <= 2);
  size_t lines = std::count(complaint.begin(), complaint.end(), '\n');
  demand(status == 2 ? lines == 1 : lines <= static_cast<size_t>(status));
  demand(std::all_of(said.begin(), said.end(), [](unsigned char c) {
    return c == '\n' || (c >= ' ' && c != 0x7f);
  }));
  if (!output.empty() && !status) {
    demand(fs::exists(in_directory(output)));
    before.push_back(in_directory(output));
  }
  size_t now = 0;
  for (auto &entry : fs::directory_iterator(directory.path)) {
    demand(std::count(before.begin(), before.end(), entry.path()));
    now++;
  }
  demand(now == before.size());
  return status;
}

// There and back again, which must not depend on the way; and in place.
void patch(const std::string &input) {
  Content given = read(input);
  int status = run({"patch", "--up"}, input, "up");
  demand(run({"patch", "--smp"}, input, "smp") == status);
  write("place", status ? given : read("up"));
  demand(run({"patch", "--smp"}, "place") == status);
  demand(read("place") == (status ? given : read("smp")));
  demand(read(input) == given);
  for (const char *name : {"up", "smp", "place"})
    fs::remove(in_directory(name));
}

// What got a table must hold, if nothing was wrong before.
void scan(const std::string &input, bool is_unusable) {
  int status = run({"scan", "--cover", "rmw,fence"}, input, "scanned");
  demand(status == 2 || !is_unusable);
  if (status)
    return;
  if (read("scanned") != read(input)) {
    int before = run({"check"}, input), after = run({"check"}, "scanned");
    demand(before || !after);
    patch("scanned");
    demand(!run({"scan", "--cover", "rmw,fence"}, "scanned", "again"));
    demand(read("again") == read("scanned"));
    fs::remove(in_directory("again"));
  }
  fs::remove(in_directory("scanned"));
}

void run_all(const Content &bytes) {
  write("input", bytes);
  int checked = run({"check", "--complete", "--cover", "all"}, "input");
  const char *form = bytes.size() % 2 ? "--json" : "--locks";
  int listed = run({"list", "--locks", form}, "input");
  demand((checked == 2) == (listed == 2));
  patch("input");
  scan("input", checked == 2);
  demand(read("input") == bytes);
}

// A piece of an ELF file: a header, or what is in a section.
struct Piece {
  size_t offset, size;
};

template <typename Ehdr, typename Phdr, typename Shdr>
void find_pieces(const uint8_t *data, size_t size, size_t at,
                 std::vector<Piece> &headers, std::vector<Piece> &contents) {
  auto add = [&](std::vector<Piece> &to, uint64_t offset, uint64_t length) {
    bool is_inside = offset <= size - at && length <= size - at - offset;
    if (is_inside && length)
      to.push_back(
          {static_cast<size_t>(at + offset), static_cast<size_t>(length)});
    return is_inside;
  };
  Ehdr header;
  if (!add(headers, 0, sizeof header))
    return;
  memcpy(&header, data + at, sizeof header);
  for (uint64_t i = 0; i < header.e_phnum; i++)
    add(headers, header.e_phoff + i * sizeof(Phdr), sizeof(Phdr));
  for (uint64_t i = 0; i < header.e_shnum; i++) {
    Shdr section;
    if (!add(headers, header.e_shoff + i * sizeof section, sizeof section))
      return;
    memcpy(&section, data + headers.back().offset, sizeof section);
    if (section.sh_type != SHT_NOBITS)
      add(contents, section.sh_offset, section.sh_size);
  }
}

// What matters in code here.
const char *const instructions[] = {
    "\xf0\x0f\xc1\x07", "\xf0\xff\x07",     "\xf0\x83\x0c\x24",
    "\x3e\xff\x07",     "\x87\x07",         "\x0f\xae\xf0",
    "\xe8\xfb\xff\xff", "\xe9\xfb\xff",     "\xeb\xfe",
    "\x74\x03",         "\xff\x24\xc5",     "\x3e\xff\xe0",
    "\xff\xe0",         "\xf2\xff\x24\xc5", "\xc3",
    "\x0f\x0b",
};

} // namespace

// Half of the time a number in a header or a section of an ELF file (or of a
// member) becomes another one that is likely to mean something.
extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t max_size, unsigned seed) {
  std::minstd_rand random(seed);
  auto below = [&](size_t limit) { return random() / 7 % limit; };
  std::vector<size_t> files;
  const char *magic = ELFMAG;
  auto end = data + size, at_file = data;
  while ((at_file = std::search(at_file, end, magic, magic + SELFMAG)) != end)
    files.push_back(at_file++ - data);
  if (files.empty() || below(2))
    return LLVMFuzzerMutate(data, size, max_size);

  std::vector<Piece> headers, contents;
  size_t at = files[below(files.size())];
  if (at + EI_CLASS < size && data[at + EI_CLASS] == ELFCLASS64)
    find_pieces<Elf64_Ehdr, Elf64_Phdr, Elf64_Shdr>(data, size, at, headers,
                                                    contents);
  else
    find_pieces<Elf32_Ehdr, Elf32_Phdr, Elf32_Shdr>(data, size, at, headers,
                                                    contents);
  const auto &pieces = contents.empty() || below(2) ? headers : contents;
  if (pieces.empty())
    return LLVMFuzzerMutate(data, size, max_size);
  Piece piece = pieces[below(pieces.size())];
  if (!below(4)) {
    const char *bytes = instructions[below(std::size(instructions))];
    size_t length = strlen(bytes);
    if (length <= piece.size)
      memcpy(data + piece.offset + below(piece.size - length + 1), bytes,
             length);
    return size;
  }
  size_t width = size_t{1} << below(4);
  if (piece.size < width)
    return LLVMFuzzerMutate(data, size, max_size);
  uint8_t *number = data + piece.offset + below(piece.size / width) * width;
  uint64_t value = 0;
  memcpy(&value, number, width);
  Piece other = contents.empty() ? piece : contents[below(contents.size())];
  const uint64_t values[] = {0,
                             1,
                             ~uint64_t{0},
                             value + 1,
                             value - 1,
                             value ^ uint64_t{1} << below(8 * width),
                             value + below(64) - 32,
                             below(256),
                             other.offset - at,
                             other.size,
                             other.offset - at + other.size,
                             size - at,
                             uint64_t{1} << below(8 * width),
                             uint64_t{1} << 32};
  value = values[below(std::size(values))];
  memcpy(number, &value, width);
  return size;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  run_all({data, data + size});
  return 0;
}
