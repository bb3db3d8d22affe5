#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Prints how much of each function's locked code is in the table .smp_locks.
# usage: sites-in.py FILE...
#
# One line for each function symbol, sorted by name, clones included:
#   kept(int*) [clone .constprop.0]: 3 locked, 0 recorded
# locked:   instructions that objdump decodes with a LOCK prefix, xchg with
#           memory, mfence;
# recorded: entries of the table that point into the function, at anything.
# Entries that point into no function are told too. Exit status 2: not usable.
#
# What the plugin believes is not asked: names and bounds come from the symbol
# table, instructions from objdump, entries from the section itself.

import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
root = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../..")
sys.path.insert(0, os.path.join(root, "scripts"))
import elf  # noqa: E402

LOCKED = re.compile(r"\block\b|^xchg\w*\s.*\(|^xchg\w*\s+%\w+,(%\w+:)?0x|^mfence")


def run(*command, text=None):
    return subprocess.run(
        command,
        input=text,
        stdout=subprocess.PIPE,
        env={**os.environ, "LC_ALL": "C"},
        check=True,
        universal_newlines=True,
    ).stdout


def locked_places(file):
    """(section or 0, address) of each locked instruction."""
    # objdump says names, which need not be unique, and keeps the order.
    sections = iter([s for s in file.sections if s.is_code])
    section, prefix = None, None
    for line in run("objdump", "-dzw", file.path).splitlines():
        if line.startswith("Disassembly of section "):
            section = next(sections)
        fields = line.split("\t")
        if not line.startswith(" ") or len(fields) < 3:
            continue
        address = int(fields[0].rstrip(":"), 16)
        text = fields[2].strip()
        # A prefix on a line of its own belongs to what follows it.
        start = address if prefix is None else prefix
        prefix = start if text == "lock" else None
        if prefix is None and (start != address or LOCKED.search(text)):
            yield (section.index if file.relocatable else 0, start)


def table_targets(file):
    """(section or 0, address) that each entry points at."""
    for section in file.sections:
        if section.name != ".smp_locks":
            continue
        if file.relocatable:
            for relocation in file.relocations_of(section):
                symbol = file.symbols[relocation.symbol]
                addend = relocation.addend
                if addend is None:
                    at = relocation.offset
                    addend = int.from_bytes(
                        section.data[at : at + 4], "little", signed=True
                    )
                yield symbol.section, symbol.value + addend
            continue
        for at in range(0, section.size, 4):
            value = int.from_bytes(
                section.data[at : at + 4], "little", signed=True
            )
            if value:
                yield 0, section.addr + at + value


def report(path):
    file = elf.File(path)
    locked = list(locked_places(file))
    recorded = list(table_targets(file))
    functions = [symbol for symbol in file.symbols if symbol.is_function]
    names = run(
        "c++filt", text="".join(symbol.name + "\n" for symbol in functions)
    ).splitlines()

    def inside(symbol, place):
        section = symbol.section if file.relocatable else 0
        offset = place[1] - symbol.value
        return place[0] == section and 0 <= offset < symbol.size

    for name, symbol in sorted(
        zip(names, functions), key=lambda pair: (pair[0], pair[1].value)
    ):
        print(
            "%s: %d locked, %d recorded"
            % (
                name,
                sum(inside(symbol, place) for place in locked),
                sum(inside(symbol, place) for place in recorded),
            )
        )
    stray = sum(
        not any(inside(symbol, place) for symbol in functions)
        for place in recorded
    )
    if stray:
        print("outside of functions: %d recorded" % stray)


def main():
    try:
        for path in sys.argv[1:]:
            report(path)
    except elf.Unusable as problem:
        print("sites-in.py: %s" % problem, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
