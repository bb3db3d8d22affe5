// SPDX-License-Identifier: MIT
//
// Who else is there?
//
// Each module is linked with a copy of this library: nothing has to be
// installed where a program runs, and a library's vendor and the program's need
// not know of each other. The copies find one another without symbols, which
// do not reach out of RTLD_LOCAL, of an executable that exports nothing, or
// of a namespace that dlmopen made. Each has a note (.note.uplock, in a PT_NOTE
// segment) that says where its record is, and the list of modules that the
// loader keeps for debuggers (DT_DEBUG, <link.h>) leads to the notes. There is
// no list of our own that a dlclose could leave wrong.
//
// What keeps other threads out is the loader's own lock, which glibc holds
// while dl_iterate_phdr calls back. A second one here would be a locked
// instruction in every program, and would have to survive a fork and the module
// that it is in. musl holds none; it never unloads a module either.

#include "registry.h"
#include "elf-image.h"
#include "system-call.h"

#include <fcntl.h>
#include <link.h>
#include <sys/auxv.h>

#pragma weak dl_iterate_phdr // a static program may do without

namespace uplock {

// The note's content is the way from there to the record, and the mode that the
// module's file is in: 0 as it is linked, 1 once `uplock patch --up` has
// changed it (tools/runtime-note.cc).
asm(".pushsection .note.uplock, \"a\", @note\n"
    "  .balign 4\n"
    "  .long 7, 8, 1\n" // the sizes of name and content, and the type
    "  .asciz \"uplock\"\n"
    "  .balign 4\n"
    "  .long uplock_own_record - .\n"
    "  .globl uplock_file_mode\n"
    "  .hidden uplock_file_mode\n"
    "uplock_file_mode:\n"
    "  .long 0\n"
    ".popsection");
extern const volatile int32_t file_mode asm("uplock_file_mode")
    __attribute__((visibility("hidden")));

namespace {

struct Note {
  uint32_t name_size, content_size, type;
  char name[8];
  int32_t way_to_record, mode;
};
constexpr Note own_note = {7, 2 * sizeof(int32_t), 1, "uplock", 0, 0};

// Looks for the note as it was assembled. Stepping from note to note would need
// their alignment, which segments of merged notes do not tell (mold). A module
// that has not started does not know yet what its file says.
Record *find_record_in_notes(const uint8_t *notes, size_t size) {
  for (; size >= sizeof(Note); notes += 4, size -= 4)
    if (equal(notes, &own_note, offsetof(Note, way_to_record))) {
      auto note = reinterpret_cast<const Note *>(notes);
      auto record = reinterpret_cast<Record *>(
          reinterpret_cast<uintptr_t>(&note->way_to_record) +
          static_cast<uintptr_t>(static_cast<intptr_t>(note->way_to_record)));
      if (note->mode && !is_started(*record))
        record->mode = UPLOCK_UP;
      return record;
    }
  return nullptr;
}

Record *find_record(const Image &image) {
  for (const Segment &segment : image)
    if (segment.p_type == PT_NOTE &&
        is_loaded(image, segment.p_vaddr, segment.p_filesz))
      if (Record *record =
              find_record_in_notes(image.at(segment.p_vaddr), segment.p_filesz))
        return record;
  return nullptr;
}

// The executable. The kernel tells where its program headers are; they stand
// behind the ELF header.
Image executable() {
  return image_at(reinterpret_cast<const Header *>(getauxval(AT_PHDR)) - 1);
}

// A module's dynamic section, or null: a static program may have none.
const ElfW(Dyn) * dynamic_section(const Image &image) {
  for (const Segment &segment : image)
    if (segment.p_type == PT_DYNAMIC)
      return reinterpret_cast<const ElfW(Dyn) *>(image.at(segment.p_vaddr));
  return nullptr;
}

// The loader's list, or null: a static program has none.
const r_debug *loaders_list(const ElfW(Dyn) * entry) {
  for (; entry && entry->d_tag != DT_NULL; entry++)
    if (entry->d_tag == DT_DEBUG)
      return reinterpret_cast<const r_debug *>(entry->d_un.d_ptr);
  return nullptr;
}

// The list of the next namespace. glibc 2.35 and newer.
const r_debug *next_list(const r_debug *list) {
  struct Extended {
    r_debug base;
    const r_debug *next;
  };
  return list->r_version >= 2 ? reinterpret_cast<const Extended *>(list)->next
                              : nullptr;
}

// A shared library. Its ELF header is where the file's address 0 is, unless it
// was linked for other addresses: then there may be nothing, or another
// library.
Image shared_library(const link_map *map) {
  Image image = image_at(reinterpret_cast<const Header *>(map->l_addr));
  return dynamic_section(image) == map->l_ld ? image : Image{};
}

// Calls VISIT for each link map of the loader's, in all namespaces, for as long
// as it returns true.
template <typename Visit>
void walk_link_maps(const r_debug *list, Visit visit) {
  for (; list; list = next_list(list))
    for (const link_map *map = list->r_map; map; map = map->l_next)
      if (!visit(map))
        return;
}

// Calls VISIT for each module with a record for as long as it returns true.
template <typename Visit> void walk(Visit visit) {
  Image program = executable();
  const ElfW(Dyn) *dynamic = dynamic_section(program);
  const r_debug *list = loaders_list(dynamic);
  if (!list && program.segments && own_image().segments == program.segments)
    visit(own_record, nullptr);
  walk_link_maps(list, [&](const link_map *map) {
    bool is_program = map->l_ld == dynamic;
    Record *record = find_record(is_program ? program : shared_library(map));
    return !record || visit(*record, is_program ? nullptr : map->l_name);
  });
}

// Is this a child with a single thread? In it the loader's lock may be held for
// ever, by a thread that the child does not have: glibc (2.36) does not reset
// it when it forks. The kernel links a directory for each thread here.
bool is_lone_child() {
  static long started_in;
  long process = system_call(__NR_getpid);
  if (!started_in)
    started_in = process;
  if (process == started_in)
    return false;
  int fd = open_file("/proc/self/task", O_RDONLY | O_CLOEXEC);
  struct stat64 status {};
  if (fd >= 0) {
    get_status(fd, status);
    close_file(fd);
  }
  return status.st_nlink == 3;
}

struct Locked {
  void (*action)(Record &first, void *context);
  void *context;
  bool is_done;
};

int act(dl_phdr_info *, size_t, void *data) {
  auto locked = static_cast<Locked *>(data);
  Record *first = &own_record;
  walk([&](Record &record, const char *) {
    first = &record;
    return false;
  });
  locked->is_done = true;
  locked->action(*first, locked->context);
  return 1; // not to be called again
}

} // namespace

bool is_unlocked_in_file() { return file_mode != 0; }

bool is_note_removed() {
  auto mode = reinterpret_cast<uintptr_t>(&file_mode);
  auto note = reinterpret_cast<const Note *>(mode - offsetof(Note, mode));
  return !equal(note, &own_note, offsetof(Note, way_to_record));
}

bool find_own_path(const char *&path) {
  Image own = own_image(), program = executable();
  path = nullptr;
  if (program.segments && own.segments != program.segments) {
    path = "a shared library";
    walk_link_maps(loaders_list(dynamic_section(program)),
                   [&](const link_map *map) {
                     bool is_own = map->l_ld == dynamic_section(own);
                     if (is_own)
                       path = map->l_name;
                     return !is_own;
                   });
  }
  bool is_found = false;
  walk([&](Record &record, const char *) {
    is_found = &record == &own_record;
    return !is_found;
  });
  return is_found;
}

void locked(void (*action)(Record &first, void *context), void *context) {
  Locked locked{action, context, false};
  bool is_alone = is_lone_child();
  if (dl_iterate_phdr && !is_alone)
    dl_iterate_phdr(act, &locked);
  // A program may have a dl_iterate_phdr of its own that knows no module.
  if (!locked.is_done)
    act(nullptr, 0, &locked);
}

void visit_modules(void (*visit)(Record &record, const char *path,
                                 void *context),
                   void *context) {
  walk([&](Record &record, const char *path) {
    visit(record, path, context);
    return true;
  });
}

} // namespace uplock
