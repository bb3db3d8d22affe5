# SPDX-License-Identifier: GPL-3.0-or-later
"""Damages a linked 64-bit ELF file in one way, for tests of what reads it.

usage: edit-elf.py FILE WHAT=VALUE...

The header's fields: e_shoff, e_shnum, e_shstrndx, e_shentsize. Those of
.smp_locks' section header: sh_name, sh_type, sh_flags, sh_addr, sh_offset,
sh_size. With "segment.TYPE.FIELD" (the number of the p_type, then p_vaddr,
p_filesz, p_flags) those of all program headers of the type. A value is a
Python expression, in which `old` is what was there, and text, text_end, data
and table are the addresses of .text, of its end, of .data and of .smp_locks.
entries=EXPRESSION gives the table's entries as addresses, from the old ones:
`old` is a list.
"""

import struct
import sys

HEADER = {
    "e_shoff": (0x28, "Q"),
    "e_shentsize": (0x3A, "H"),
    "e_shnum": (0x3C, "H"),
    "e_shstrndx": (0x3E, "H"),
}
SECTION = {
    "sh_name": (0, "I"),
    "sh_type": (4, "I"),
    "sh_flags": (8, "Q"),
    "sh_addr": (16, "Q"),
    "sh_offset": (24, "Q"),
    "sh_size": (32, "Q"),
}
SEGMENT = {"p_flags": (4, "I"), "p_vaddr": (16, "Q"), "p_filesz": (32, "Q")}


class Elf:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = bytearray(file.read())
        self.sections = {}
        names = self.get(self.section(self.get(0x3E, "H")) + 24, "Q")
        for index in range(self.get(0x3C, "H")):
            section = self.section(index)
            start = names + self.get(section, "I")
            name = self.bytes[start : self.bytes.index(0, start)].decode()
            self.sections[name] = section

    def section(self, index):
        return self.get(0x28, "Q") + 64 * index

    def get(self, offset, form):
        return struct.unpack_from("<" + form, self.bytes, offset)[0]

    def edit(self, offset, form, expression, names):
        value = eval(expression, {**names, "old": self.get(offset, form)})
        mask = 2 ** (8 * struct.calcsize(form)) - 1
        struct.pack_into("<" + form, self.bytes, offset, value & mask)

    def edit_entries(self, expression, names):
        header = self.sections[".smp_locks"]
        offset, size = self.get(header + 24, "Q"), self.get(header + 32, "Q")
        places = [names["table"] + i for i in range(0, size, 4)]
        old = [
            place + self.get(offset + 4 * i, "i")
            for i, place in enumerate(places)
        ]
        new = eval(expression, {**names, "old": old})
        assert len(new) == len(old), "as many entries as before"
        for i, place in enumerate(places):
            struct.pack_into(
                "<I", self.bytes, offset + 4 * i, (new[i] - place) & 0xFFFFFFFF
            )


def main(path, *edits):
    elf = Elf(path)

    def address(name):
        return elf.get(elf.sections[name] + 16, "Q")

    names = {
        "text": address(".text"),
        "text_end": address(".text")
        + elf.get(elf.sections[".text"] + 32, "Q"),
        "data": address(".data"),
        "table": address(".smp_locks") if ".smp_locks" in elf.sections else 0,
    }
    for edit in edits:
        what, expression = edit.split("=", 1)
        if what == "entries":
            elf.edit_entries(expression, names)
        elif what in HEADER:
            elf.edit(*HEADER[what], expression, names)
        elif what in SECTION:
            place, form = SECTION[what]
            elf.edit(elf.sections[".smp_locks"] + place, form, expression, names)
        else:
            _segment, type, field = what.split(".")
            place, form = SEGMENT[field]
            for i in range(elf.get(0x38, "H")):
                header = elf.get(0x20, "Q") + 56 * i
                if elf.get(header, "I") == int(type):
                    elf.edit(header + place, form, expression, names)
    with open(path, "r+b") as file:
        file.write(elf.bytes)


main(*sys.argv[1:])
