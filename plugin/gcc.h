// SPDX-License-Identifier: GPL-3.0-or-later
//
// GCC's own headers, once and in an order that every release from 11 on
// accepts: they do not include what they need.

#ifndef UPLOCK_PLUGIN_GCC_H
#define UPLOCK_PLUGIN_GCC_H

#include "gcc-plugin.h"
#include "plugin-version.h"
#include "tree.h"
#include "rtl.h"
#include "memmodel.h"
#include "tm_p.h"
#include "function.h"
#include "insn-config.h"
#include "insn-constants.h"
#include "recog.h"
#include "basic-block.h"
#include "df.h"
#include "emit-rtl.h"
#include "rtl-iter.h"
#include "output.h"
#include "varasm.h"
#include "tree-pass.h"
#include "gimple.h"
#include "gimple-iterator.h"
#include "gimple-expr.h"
#include "gimple-walk.h"
#include "ssa.h"
#include "cgraph.h"
#include "stringpool.h"
#include "attribs.h"
#include "cfghooks.h"
#include "tree-cfg.h"
#include "tree-phinodes.h"
#include "ssa-iterators.h"
#include "tree-into-ssa.h"
#include "tree-eh.h"
#include "cfgloop.h"
#include "fold-const.h"
#include "predict.h"
#include "target.h"
#include "diagnostic-core.h"
#include "context.h"
#include "dumpfile.h"

// The plugin builds for every target and has work to do on one. options.h of
// an x86 GCC defines this mask; no other does.
#ifdef OPTION_MASK_ISA_64BIT
#define UPLOCK_TARGET_X86 1
#else
#define UPLOCK_TARGET_X86 0
#endif

#endif
