// SPDX-License-Identifier: GPL-3.0-or-later
//
// Was code generated at the link (-flto) without the plugin?
//
// The plugin must be given at the link too; if it is not, the table lacks all
// of that code, silently. Where one can still see it:
//
//   -g                      each compile unit says who made it, and by which
//                           flags: `GNU GIMPLE ...` is the link's code
//                           generator, and -fplugin= is among its flags or it
//                           is not
//   -frecord-gcc-switches   the same in .GCC.command.line, but not what code it
//                           speaks of: it counts if there is no table at all
//
// Without both nothing in a linked file tells: there `check --complete` finds
// the locks, but not the reason.

#ifndef UPLOCK_LINK_TIME_H
#define UPLOCK_LINK_TIME_H

#include <string>
#include <vector>

#include "elf-file.h"
#include "table.h"

namespace uplock {

// MISSING: the locked instructions without an entry.
std::vector<std::string>
find_link_without_plugin(const ElfFile &file, const Table &table,
                         const std::vector<Place> &missing);

} // namespace uplock

#endif
