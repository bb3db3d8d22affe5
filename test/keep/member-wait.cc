// SPDX-License-Identifier: GPL-3.0-or-later
//
// Waiting for a std::atomic, with all that it is made of. libstdc++ 16 has the
// better part of it in the library, which another hand may have patched: an error.
// RUN: for o in 0 1 2 s; do \
// RUN:   if %cxx -std=c++20 -O$o -c %s %uplock -fplugin-arg-uplock-cover=all \
// RUN:     -o %t.$o.o 2> %t.err; then \
// RUN:     %sites %t.$o.o | FileCheck %s --check-prefix=INLINE \
// RUN:       --implicit-check-not='{{^std::.*(atomic|wait).* [1-9][0-9]* locked}}'; \
// RUN:   else FileCheck %s --check-prefix=LIBRARY < %t.err; fi || exit; done
#include <atomic>

std::atomic<int> number;

[[uplock::keep]] void kept_wait() {
  number.wait(3);
  number.notify_all();
}
// INLINE: {{^}}kept_wait(): {{[0-9]+}} locked, 0 recorded
// LIBRARY-DAG: error: kept function 'void kept_wait()' calls {{.*}}__wait_impl({{.*}}which is defined elsewhere
// LIBRARY-DAG: error: kept function 'void kept_wait()' calls {{.*}}__notify_impl({{.*}}which is defined elsewhere
