# SPDX-License-Identifier: GPL-3.0-or-later
"""Makes a 64-bit ELF file one without section headers, as sstrip does."""

import sys

with open(sys.argv[1], "r+b") as file:
    file.seek(0x28)  # e_shoff
    file.write(bytes(8))
    file.seek(0x3C)  # e_shnum, e_shstrndx
    file.write(bytes(4))
