// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>
extern std::atomic<int> cell;
inline int twice() { return cell += 2; }
