# SPDX-License-Identifier: GPL-3.0-or-later
#
# What prove-table must know about the bytes of an x86 instruction (Intel SDM
# vol. 2, 2.1 and appendix A). Each function takes the whole instruction, from
# its first prefix on, as a disassembler has delimited it, and says whether the
# code is 64-bit where that matters.

LOCK = 0xF0
LEGACY_PREFIXES = bytes.fromhex("66 67 2e 36 3e 26 64 65 f2 f3 f0")
FS, GS = 0x64, 0x65

XCHG = (0x86, 0x87)
TEST_EAX, JMP, JMP_SHORT = 0xA9, 0xE9, 0xEB
RETURNS = (0xC2, 0xC3, 0xCB, 0xCF)
CMPXCHG = (b"\x0f\xb0", b"\x0f\xb1")
MFENCE = b"\x0f\xae\xf0"


def without_prefixes(code):
    """(legacy prefixes, the rest)"""
    count = 0
    while count < len(code) and code[count] in LEGACY_PREFIXES:
        count += 1
    return code[:count], code[count:]


def opcode_on(code, wide):
    """The bytes from the opcode on, and the REX prefix or 0."""
    rest = without_prefixes(code)[1]
    if wide and rest and rest[0] & 0xF0 == 0x40:
        return rest[1:], rest[0]
    return rest, 0


def has_lock(code):
    return LOCK in without_prefixes(code)[0]


def is_fence(code, wide):
    """lock or $0, (%rsp): group 1, /1, with an immediate 0.

    Segments other than fs and gs are the assembler's padding
    (-mbranches-within-32B-boundaries)."""
    prefixes = without_prefixes(code)[0]
    if LOCK not in prefixes or FS in prefixes or GS in prefixes:
        return False
    rest, rex = opcode_on(code, wide)
    if rex & 3:  # r12 for rsp, or an index
        return False
    return (
        len(rest) >= 4
        and rest[0] in (0x80, 0x81, 0x83)
        and rest[1:3] == b"\x0c\x24"
        and not any(rest[3:])
    )


def is_mfence(code, wide):
    return opcode_on(code, wide)[0] == MFENCE


def is_memory_xchg(code, wide):
    """Locked, whether it has a LOCK prefix or not."""
    rest = opcode_on(code, wide)[0]
    return len(rest) > 1 and rest[0] in XCHG and rest[1] < 0xC0


def is_lock_cmpxchg(code, wide):
    return has_lock(code) and opcode_on(code, wide)[0][:2] in CMPXCHG


def is_switch(code):
    """test $imm32, %eax, which a change of its first byte makes a jump."""
    return len(code) == 5 and code[0] == TEST_EAX


def is_return(code):
    rest = without_prefixes(code)[1]
    return bool(rest) and rest[0] in RETURNS


def falls_through(code):
    """May the next instruction be the one that follows?"""
    rest = without_prefixes(code)[1]
    jumps = rest[:1] in (bytes([JMP]), bytes([JMP_SHORT])) or (
        rest[:1] == b"\xff" and len(rest) > 1 and rest[1] >> 3 & 7 in (4, 5)
    )
    return not jumps and not is_return(code) and rest[:2] != b"\x0f\x0b"


def jump_operand(code):
    """(offset, size) of the distance of a direct jump, or None."""
    prefixes, rest = without_prefixes(code)
    at = len(prefixes)
    if not rest:
        return None
    if rest[0] == JMP_SHORT or rest[0] & 0xF0 == 0x70:
        return at + 1, 1
    if rest[0] == JMP:
        return at + 1, 4
    if rest[0] == 0x0F and len(rest) > 1 and rest[1] & 0xF0 == 0x80:
        return at + 2, 4
    return None
