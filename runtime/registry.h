// SPDX-License-Identifier: MIT
//
// The modules of the process that carry the library: the executable, shared
// libraries, plugins. Each has a copy of its own, linked in.

#ifndef UPLOCK_REGISTRY_H
#define UPLOCK_REGISTRY_H

#include "line.h"
#include "reason.h"
#include "uplock-process.h"

namespace uplock {

// A module as the other ones see it. The copies may be of different releases:
// new fields go to the end, and nothing that is here changes its meaning.
struct Record {
  uint32_t size; // of this structure, in the release of its module

  // The mode that was asked for last, or not_decided. The first module's is the
  // one in force, whether or not that module is started yet.
  int32_t wanted;
  Reason wanted_because;

  int32_t mode;  // UPLOCK_UP as long as a single instruction may be unlocked
  Reason reason; // why: wanted_because, or what stood in the way

  // Brings this module to a mode. For an action, and only if it is started:
  // before, the module's relocations may not have been made, this one included.
  void (*switch_to)(uplock_mode mode, Reason reason);

  uint64_t nanoseconds; // that the last switch took
  uplock_counts counts; // of the last walk over the table

  // The first module's is known to the others from their start on.
  StandardError standard_error;
};

constexpr int32_t not_decided = -1;

inline bool is_started(const Record &record) {
  return record.reason != Reason::not_started;
}

// This module's.
extern Record own_record asm("uplock_own_record");

// Is this module's file one that `uplock patch --up` has written?
bool is_unlocked_in_file();

// Has the note been taken out of the file (objcopy -R)? Then nothing is known.
bool is_note_removed();

// PATH: the path by which the loader knows this module; null for the
// executable. Returns false if other modules do not find this one: then it must
// stay locked. For an action.
bool find_own_path(const char *&path);

// Calls ACTION once. FIRST: the record of the first module that carries the
// library. Meanwhile no module comes or goes, and no other thread's action
// runs. ACTION must not do what may load a module.
void locked(void (*action)(Record &first, void *context), void *context);

// Calls VISIT for every module that carries the library, in the order in which
// they were loaded, those in other namespaces (dlmopen) included. PATH: as
// above; it lives as long as the module is loaded. For an action.
void visit_modules(void (*visit)(Record &record, const char *path,
                                 void *context),
                   void *context);

// The same for lambdas.
template <typename Action> void locked(Action action) {
  locked([](Record &first,
            void *action) { (*static_cast<Action *>(action))(first); },
         &action);
}
template <typename Visit> void visit_modules(Visit visit) {
  visit_modules(
      [](Record &record, const char *path, void *visit) {
        (*static_cast<Visit *>(visit))(record, path);
      },
      &visit);
}

} // namespace uplock

#endif
