/* SPDX-License-Identifier: GPL-3.0-or-later
 *
 * An auditor (rtld-audit(7)) with one site.
 */
#include <link.h>

static int count;

unsigned int la_version(unsigned int version) {
  __atomic_add_fetch(&count, 1, __ATOMIC_SEQ_CST);
  return version;
}
