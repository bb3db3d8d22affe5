#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Reads the table of a linked program as Linux reads its own, and writes the
# program as Linux would leave it: with one CPU, and with a second one after it.
# usage: linux-reader.py PROGRAM UP SMP
#
# The rule is that of Linux 6.1 and no more (arch/x86/kernel/alternative.c,
# alternatives_smp_unlock, alternatives_smp_lock): an entry is a signed number of
# 32 bits, the distance from itself to a byte in the text; F0 there becomes 3E,
# and 3E becomes F0. Prints what is skipped, and what it is that stays: a lock,
# an xchg, the switch in front of one. Fails if it is anything else, or if SMP is
# not PROGRAM but for an F0 in front of a lock or an xchg.

import collections
import os
import struct
import sys

sys.dont_write_bytecode = True
root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
sys.path.insert(0, os.path.join(root, "scripts"))
import elf  # noqa: E402
import x86  # noqa: E402

LOCK, DS = 0xF0, 0x3E
LONGEST = 15  # bytes of an instruction


def entries(file):
    """The address that each entry names; Linux skips zeroes."""
    for section in file.sections:
        if section.name == ".smp_locks":
            for place, (distance,) in enumerate(
                struct.iter_unpack("<i", section.data)
            ):
                if distance:
                    yield section.addr + 4 * place + distance


def offset_in_file(file, address):
    """Where the byte is in the file, or None if ADDRESS is not in the text:
    all that is executable, as from _text to _etext in Linux."""
    for section in file.sections:
        if section.is_code and 0 <= address - section.addr < section.size:
            return section.offset + address - section.addr
    return None


def replace(image, offsets, old, new):
    """Returns the image with NEW at each offset that has OLD."""
    image = bytearray(image)
    for offset in offsets:
        if image[offset] == old:
            image[offset] = new
    return bytes(image)


def function_at(file, address):
    return next(
        (
            symbol.name
            for symbol in file.symbols
            if symbol.is_function
            and 0 <= address - symbol.value < symbol.size
        ),
        "?",
    )


def kind(code, wide):
    """What the instruction is without Linux's help."""
    if x86.has_lock(code):
        return "lock"
    if x86.is_memory_xchg(code, wide):
        return "xchg"
    return "switch" if code[0] == x86.TEST_EAX else "unknown"


def write(path, image):
    with open(path, "wb") as out:
        out.write(image)
    os.chmod(path, 0o755)


program, up, smp = sys.argv[1:]
file = elf.File(program)
addresses = sorted(entries(file))
offsets = [offset_in_file(file, address) for address in addresses]
if not offsets or None in offsets:
    sys.exit("linux-reader: no entries, or an entry outside of the text")

unlocked = replace(file.image, offsets, LOCK, DS)
locked_again = replace(unlocked, offsets, DS, LOCK)
write(up, unlocked)
write(smp, locked_again)

skipped = collections.Counter()
for address, offset in zip(addresses, offsets):
    code = file.image[offset : offset + LONGEST]
    if code[0] != LOCK:
        what = kind(code, file.wide)
        skipped[code[0], what] += 1
        print(f"  {code[:6].hex(' ')} {what} in {function_at(file, address)}")
print(f"{len(offsets)} sites, {sum(skipped.values())} skipped")
for (first, what), count in sorted(skipped.items()):
    print(f"first byte {first:02x}: {what}, {count} skipped")

changed = [o for o in offsets if file.image[o] != locked_again[o]]
print(f"back: {len(changed)} bytes differ")
for offset in changed:
    before = file.image[offset : offset + LONGEST]
    after = locked_again[offset : offset + LONGEST]
    if before[0] != DS or kind(before, file.wide) not in ("lock", "xchg"):
        sys.exit("linux-reader: not to be executed any more")
    print(f"  {before[:6].hex(' ')} is {after[:6].hex(' ')}")
    locked_again = replace(locked_again, [offset], LOCK, DS)
sys.exit("unknown" in (what for _, what in skipped) or locked_again != file.image)
