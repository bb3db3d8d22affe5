// SPDX-License-Identifier: GPL-3.0-or-later
//
// A wrong option gives one error, in GCC's form, with the full spelling.
// RUN: not %gcc -c %s %uplock -fplugin-arg-uplock-covr=rmw -o %t.o 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNKNOWN --implicit-check-not=error:
// RUN: not %gcc -c %s %uplock -fplugin-arg-uplock-cover -o %t.o 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MISSING --implicit-check-not=error:
// RUN: not %gcc -c %s %uplock -fplugin-arg-uplock-cover= -o %t.o 2>&1 \
// RUN:   | FileCheck %s --check-prefix=MISSING --implicit-check-not=error:
// RUN: not %gcc -c %s %uplock -fplugin-arg-uplock-cover=rmw,sotre -o %t.o \
// RUN:   2>&1 | FileCheck %s --check-prefix=BAD --implicit-check-not=error:
// RUN: not %gcc -c %s %uplock -fplugin-arg-uplock-dump= -o %t.o 2>&1 \
// RUN:   | FileCheck %s --check-prefix=DUMP --implicit-check-not=error:
// RUN: not %gcc -c %s %uplock -fplugin-arg-uplock-default -o %t.o 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NO-DEFAULT --implicit-check-not=error:
// RUN: not %gcc -c %s %uplock -fplugin-arg-uplock-default=kep -o %t.o 2>&1 \
// RUN:   | FileCheck %s --check-prefix=BAD-DEFAULT --implicit-check-not=error:
// RUN: %gcc -c %s %uplock -fplugin-arg-uplock-cover=rmw -o %t.o 2>&1 | count 0

int used(int *p) { return __atomic_fetch_add(p, 1, 5); }

// UNKNOWN: error: unrecognized option '-fplugin-arg-uplock-covr'; valid options are: '-fplugin-arg-uplock-cover=' '-fplugin-arg-uplock-default=' '-fplugin-arg-uplock-dump'
// MISSING: error: missing argument to '-fplugin-arg-uplock-cover='; valid arguments are: rmw store
// BAD: error: unrecognized argument 'sotre' in option '-fplugin-arg-uplock-cover=rmw,sotre'; valid arguments are: rmw store
// DUMP: error: missing file name in '-fplugin-arg-uplock-dump='
// NO-DEFAULT: error: missing argument to '-fplugin-arg-uplock-default='; valid arguments are: keep patch
// BAD-DEFAULT: error: unrecognized argument 'kep' in option '-fplugin-arg-uplock-default=kep'; valid arguments are: keep patch
