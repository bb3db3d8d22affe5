# SPDX-License-Identifier: GPL-3.0-or-later
#
# Reads ELF files for prove-table and text-identical: sections, symbols,
# section groups, relocations; x86-64, x32 and i386.
#
# Written against the ELF specification with `struct` alone. The proofs must not
# rest on code that the plugin or the runtime uses, nor on what a linker or
# readelf says about a table. Names are as in the specification (gABI, chapter
# 4; System V psABI for x86-64 and i386).

import struct

EM_386, EM_X86_64 = 3, 62
ET_REL, ET_EXEC, ET_DYN = 1, 2, 3
SHT_PROGBITS, SHT_SYMTAB, SHT_RELA, SHT_NOBITS, SHT_REL = 1, 2, 4, 8, 9
SHT_GROUP, SHT_SYMTAB_SHNDX = 17, 18
SHF_ALLOC, SHF_EXECINSTR = 2, 4
SHN_UNDEF, SHN_LORESERVE, SHN_XINDEX = 0, 0xFF00, 0xFFFF
STB_LOCAL = 0
STT_FUNC, STT_SECTION, STT_GNU_IFUNC = 2, 3, 10
R_NONE = 0  # both machines
R_PC32 = 2  # R_X86_64_PC32, R_386_PC32


class Unusable(Exception):
    """The input cannot be judged; the text says why."""


class Section:
    """One section header, its name and its bytes."""

    def __init__(self, index, fields, image):
        (
            self.name_offset,
            self.type,
            self.flags,
            self.addr,
            self.offset,
            self.size,
            self.link,
            self.info,
            self.align,
            self.entsize,
        ) = fields
        self.index = index
        self.name = ""
        self.data = b""
        if self.type != SHT_NOBITS:
            self.data = image[self.offset : self.offset + self.size]
            if len(self.data) != self.size:
                raise Unusable("truncated")

    @property
    def is_code(self):
        wanted = SHF_ALLOC | SHF_EXECINSTR
        return (
            self.type != SHT_NOBITS
            and self.size > 0
            and self.flags & wanted == wanted
        )


class Symbol:
    """section: index, or None where the symbol is not defined in a section."""

    def __init__(self, name, bind, type, value, size, section):
        self.name = name
        self.bind = bind
        self.type = type
        self.value = value
        self.size = size
        self.section = section

    @property
    def is_function(self):
        return self.section is not None and self.type in (
            STT_FUNC,
            STT_GNU_IFUNC,
        )


class Relocation:
    """addend: None where it stands in the section's bytes (REL)."""

    def __init__(self, offset, type, symbol, addend):
        self.offset = offset
        self.type = type
        self.symbol = symbol
        self.addend = addend


def string_at(data, offset):
    end = data.find(b"\0", offset)
    return data[offset:end].decode("utf-8", "backslashreplace")


class File:
    """An ELF file for x86. Raises Unusable for anything else."""

    def __init__(self, path):
        self.path = path
        try:
            with open(path, "rb") as stream:
                self.image = stream.read()
        except OSError as problem:
            raise Unusable(problem.strerror) from None
        if self.image[:4] != b"\x7fELF":
            raise Unusable("not an ELF file")
        try:
            self.read_header()
            self.read_sections()
            self.read_symbols()
            self.read_groups()
        except (struct.error, IndexError):
            raise Unusable("truncated or damaged") from None

    def read_header(self):
        self.wide = self.image[4] == 2  # ELFCLASS64
        if self.image[5] != 1:
            raise Unusable("not little-endian")
        words = "QQQ" if self.wide else "III"
        (
            self.type,
            self.machine,
            _version,
            _entry,
            _phoff,
            self.shoff,
            _flags,
            _ehsize,
            _phentsize,
            _phnum,
            _shentsize,
            self.shnum,
            self.shstrndx,
        ) = struct.unpack_from("<HHI" + words + "I6H", self.image, 16)
        if self.machine not in (EM_386, EM_X86_64):
            raise Unusable("not for x86 (e_machine is %d)" % self.machine)
        if self.type not in (ET_REL, ET_EXEC, ET_DYN):
            raise Unusable("neither an object nor a linked file")
        if not self.shoff:
            raise Unusable("no section headers")

    @property
    def relocatable(self):
        return self.type == ET_REL

    @property
    def address_mask(self):
        return 0xFFFFFFFFFFFFFFFF if self.wide else 0xFFFFFFFF

    def read_sections(self):
        form = "<IIQQQQIIQQ" if self.wide else "<10I"
        size = struct.calcsize(form)

        def header(index):
            return Section(
                index,
                struct.unpack_from(form, self.image, self.shoff + index * size),
                self.image,
            )

        # What does not fit into the file header stands in section 0.
        first = header(0) if self.shnum else None
        if not self.shnum:
            fields = struct.unpack_from(form, self.image, self.shoff)
            self.shnum = fields[5]
        if self.shstrndx == SHN_XINDEX:
            self.shstrndx = first.link if first else fields[6]
        self.sections = [header(index) for index in range(self.shnum)]
        names = self.sections[self.shstrndx].data
        self.relocation_sections = {}  # by the section that they apply to
        for section in self.sections:
            section.name = string_at(names, section.name_offset)
            if section.info and section.type in (SHT_REL, SHT_RELA):
                tables = self.relocation_sections.setdefault(section.info, [])
                tables.append(section)

    def read_symbols(self):
        self.symbols = []
        table = next((s for s in self.sections if s.type == SHT_SYMTAB), None)
        if table is None:
            return
        wide_indices = next(
            (
                s.data
                for s in self.sections
                if s.type == SHT_SYMTAB_SHNDX and s.link == table.index
            ),
            None,
        )
        names = self.sections[table.link].data
        form = "<IBBHQQ" if self.wide else "<IIIBBH"
        for index, fields in enumerate(struct.iter_unpack(form, table.data)):
            if self.wide:
                name, info, _other, shndx, value, size = fields
            else:
                name, value, size, info, _other, shndx = fields
            if shndx == SHN_XINDEX and wide_indices:
                (shndx,) = struct.unpack_from("<I", wide_indices, 4 * index)
            elif shndx >= SHN_LORESERVE:
                shndx = SHN_UNDEF
            self.symbols.append(
                Symbol(
                    string_at(names, name),
                    info >> 4,
                    info & 15,
                    value,
                    size,
                    shndx or None,
                )
            )

    def read_groups(self):
        """self.group: the signature of the group that a section belongs to."""
        self.group = {}
        for section in self.sections:
            if section.type != SHT_GROUP:
                continue
            signature = self.symbols[section.info]
            name = signature.name
            if signature.type == STT_SECTION:
                name = self.sections[signature.section].name
            words = [w for (w,) in struct.iter_unpack("<I", section.data)]
            for member in words[1:]:
                self.group[member] = name

    def relocations_in(self, relocation_section):
        rela = relocation_section.type == SHT_RELA
        form = {
            (True, True): "<QQq",
            (True, False): "<QQ",
            (False, True): "<IIi",
            (False, False): "<II",
        }[self.wide, rela]
        for fields in struct.iter_unpack(form, relocation_section.data):
            offset, info = fields[:2]
            if self.wide:
                symbol, type = info >> 32, info & 0xFFFFFFFF
            else:
                symbol, type = info >> 8, info & 0xFF
            yield Relocation(
                offset, type, symbol, fields[2] if rela else None
            )

    def relocations_of(self, section):
        """Those that a linker applies to SECTION: of an object, or kept in a
        linked file by --emit-relocs."""
        return [
            relocation
            for table in self.relocation_sections.get(section.index, [])
            for relocation in self.relocations_in(table)
        ]

    def dynamic_relocations(self):
        """Those that the dynamic loader applies."""
        for table in self.sections:
            if table.type in (SHT_REL, SHT_RELA) and table.flags & SHF_ALLOC:
                yield from self.relocations_in(table)
