// SPDX-License-Identifier: GPL-3.0-or-later
//
// The one-byte switch in front of an exchange, as exchange-pass.cc writes it
// and as label-pass.cc finds it again.

#ifndef UPLOCK_PLUGIN_EXCHANGE_H
#define UPLOCK_PLUGIN_EXCHANGE_H

namespace uplock {

// test $distance,%eax, which the runtime can make a jmp over that distance.
constexpr char switch_template[] = ".byte\t0xa9\n\t.long\t%l0-.-4";

} // namespace uplock

#endif
