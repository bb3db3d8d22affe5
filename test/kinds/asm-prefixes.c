// SPDX-License-Identifier: GPL-3.0-or-later
//
// Prefixes in front of LOCK belong to its instruction: the entry is at the
// first of them, in statements of their own or not.
// RUN: %proven-c %s %t.d --cover asm --identical -- -O0 -O2 "-O2 -m32" \
// RUN:   | FileCheck %s
// CHECK-COUNT-3: 10 sites, 10 locked instructions, 0 fences: complete and exact

static int x;

void data16(void) { __asm__("data16 lock incl %0" : "+m"(x)); }
void rep(void) { __asm__("rep; lock incl %0" : "+m"(x)); }
void rep_line(void) { __asm__("rep\n\tlock\n\tincl %0" : "+m"(x)); }
void xacquire(void) { __asm__("xacquire lock incl %0" : "+m"(x)); }
void xrelease(void) { __asm__("xrelease; lock; decl %0" : "+m"(x)); }
void byte_sized(void) { __asm__("lock incw %0; lock incb %0" : "+m"(x)); }
void pseudo(void) { __asm__("%{disp32%} lock incl %0" : "+m"(x)); }
void segment(void) { __asm__("lock; addl $0, %%fs:(%%ecx)" :::); }
// The prefix is for something else.
void unrelated(void) { __asm__("rep; movsb; lock; incl %0" : "+m"(x)); }
