// SPDX-License-Identifier: GPL-3.0-or-later

#include "reason.h"

using namespace uplock;

namespace {

bool begins_with(const std::string &text, const char *start) {
  return text.rfind(start, 0) == 0;
}

// In code that the plugin has seen.
std::string by_kind(const Circumstances &what) {
  switch (what.kind) {
  case Kind::fence:
    return "a fence (cover=fence)";
  case Kind::mfence:
    return "an mfence (cover=fence, or the programmer's own)";
  case Kind::xchg:
    return what.has_lock ? "an xchg with LOCK, which no byte unlocks"
                         : "an exchange or store (cover=store,exchange)";
  case Kind::lock:
  case Kind::plain:
    break;
  }
  return what.function_has_entries ? "an asm statement (cover=asm)"
                                   : "kept, or an asm statement (cover=asm)";
}

} // namespace

std::string uplock::likely_reason(const Circumstances &what) {
  const std::string &producer = what.unit.producer;
  if (begins_with(producer, "GNU AS"))
    return "assembly (uplock-asm.h)";
  if (!producer.empty() && !begins_with(producer, "GNU "))
    return "compiled by " + producer.substr(0, producer.find(" (")) +
           ", which has no plugin";
  if (!producer.empty() && producer.find("-fplugin=") == std::string::npos)
    return begins_with(producer, "GNU GIMPLE")
               ? "generated at the link (-flto) without the plugin"
               : "compiled without the plugin";
  if (!producer.empty() || what.function_has_entries)
    return by_kind(what);
  if (!what.has_table)
    return "no table in this file: compiled without the plugin, or all is kept "
           "or not covered (-g would tell)";
  if (what.kind != Kind::lock)
    return by_kind(what);
  return "kept, an asm statement, or compiled without the plugin (-g would "
         "tell)";
}
