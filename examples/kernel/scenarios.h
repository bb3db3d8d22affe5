// SPDX-License-Identifier: MIT
//
// What the kernel shows. The command line names scenarios, each a word; they
// are run in its order. Each prints what it found and says whether that is
// right.

#ifndef KERNEL_SCENARIOS_H
#define KERNEL_SCENARIOS_H

void init_scenarios();
bool run_scenarios(); // hammer if none is named

bool hammer();
bool hotplug();
bool late();
bool step();
bool halfway();
bool fault();
bool protect();
bool init();
bool unlocked();
bool filler();

// What init is about, in .init.text.
void init_code();

#endif
