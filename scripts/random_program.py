# SPDX-License-Identifier: GPL-3.0-or-later
"""Random C and C++ programs dense with atomic operations, for random-programs.

A program is its seed's: the same number gives the same text. It includes
test/random/Inputs/atomics.h, which has the operations in two versions: what runs
with -DPLAIN, in ordinary arithmetic, must print the same. So the program checks
itself, whatever compiled it.

It prints a sum of all that the operations returned, and what all variables hold in
the end. One thread runs all functions, in several rounds; then two threads add to
the variables, for totals that do not depend on their order.
"""

import random

ORDERS = {
    "relaxed": 0,
    "consume": 1,
    "acquire": 2,
    "release": 3,
    "acq_rel": 4,
    "seq_cst": 5,
}
TYPES = [
    "int8_t",
    "uint8_t",
    "int16_t",
    "uint16_t",
    "int32_t",
    "uint32_t",
    "int64_t",
    "uint64_t",
    "int",
    "unsigned char",
    "long",
]
WIDTHS = {"int8_t": 8, "uint8_t": 8, "unsigned char": 8, "int16_t": 16, "uint16_t": 16}
UPDATES = ["ADD", "SUB", "AND", "OR", "XOR", "NAND"]
ROUNDS = 3


class Place:
    """A variable: how it is called, and its type. Not all ways work for each."""

    def __init__(self, name, of, standard=False, shared=True):
        self.name = name
        self.type = of
        self.standard = standard  # a std::atomic
        self.shared = shared  # with other threads


class Program:
    def __init__(self, seed, cxx):
        self.random = random.Random("%d %s" % (seed, "c++" if cxx else "c"))
        self.cxx = cxx
        self.places = []
        self.functions = []  # names of those that take (T *, int), with T
        self.lines = []
        self.depth = 0
        self.names = 0

    # Chances.

    def chance(self, percent):
        return self.random.randrange(100) < percent

    def pick(self, things):
        return self.random.choice(things)

    def name(self, stem):
        self.names += 1
        return "%s%d" % (stem, self.names)

    def constant(self):
        return self.pick(
            [
                "0",
                "1",
                "-1",
                "2",
                "7",
                "8",
                "127",
                "128",
                "-128",
                "255",
                "0x7fff",
                "65536",
                "-3",
                "1000003",
                "0x7fffffff",
            ]
        )

    def value(self):
        """Something to add, or, store."""
        return self.pick(
            [self.constant(), self.constant(), "n", "n + 1", "(int)sum", "n * 5"]
        )

    def order(self, forbidden=()):
        return ORDERS[self.pick([o for o in ORDERS if o not in forbidden])]

    # Variables.

    def declare(self):
        lines = []
        for _ in range(self.random.randrange(4, 10)):
            of = self.pick(TYPES)
            name = self.name("v")
            how = self.random.randrange(9 if self.cxx else 7)
            initial = self.constant()
            if how == 0:
                lines.append("static %s %s = (%s)%s;" % (of, name, of, initial))
                self.places.append(Place(name, of))
            elif how == 1:
                lines.append("%s %s;" % (of, name))
                self.places.append(Place(name, of))
            elif how == 2:
                lines.append("volatile %s %s = (%s)%s;" % (of, name, of, initial))
                self.places.append(Place(name, of))
            elif how == 3:
                lines.append(
                    "static __thread %s %s = (%s)%s;" % (of, name, of, initial)
                )
                self.places.append(Place(name, of, shared=False))
            elif how == 4:
                lines.append(
                    "struct { char before; %s member; short after; } %s;" % (of, name)
                )
                self.places.append(Place(name + ".member", of))
            elif how == 5:
                lines.append("static %s %s[5];" % (of, name))
                self.places.append(
                    Place("%s[%d]" % (name, self.random.randrange(5)), of)
                )
                self.places.append(Place(name + "[(unsigned)n % 5]", of))
            elif how == 6:
                lines.append(
                    "static %s own_%s; static %s *%s = &own_%s;"
                    % (of, name, of, name, name)
                )
                self.places.append(Place("(*%s)" % name, of))
            else:
                lines.append("static Atomic<%s> %s{(%s)%s};" % (of, name, of, initial))
                self.places.append(Place(name, of, standard=True))
        return lines

    # Operations. Each is an expression with a value, as text.

    def operation(self, place):
        if place.standard:
            return self.member(place)
        pointer, of = "&" + place.name, place.type
        how = self.random.randrange(13)
        if how < 3:
            return "FETCH_%s(%s, %s, %s, %d)" % (
                self.pick(UPDATES),
                of,
                pointer,
                self.value(),
                self.order(),
            )
        if how < 5:
            return "%s_FETCH(%s, %s, %s, %d)" % (
                self.pick(UPDATES),
                of,
                pointer,
                self.value(),
                self.order(),
            )
        if how == 5:
            return "EXCHANGE(%s, %s, %s, %d)" % (
                of,
                pointer,
                self.value(),
                self.order(),
            )
        if how == 6:
            return "LOAD(%s, %s, %d)" % (
                of,
                pointer,
                self.order(("release", "acq_rel")),
            )
        if how == 7:
            return "SYNC_%s(%s, %s, %s)" % (
                self.pick(["ADD", "SUB", "OR", "AND", "XOR", "SET"]),
                of,
                pointer,
                self.value(),
            )
        if how == 8:
            return "SYNC_CAS(%s, %s, %s, %s)" % (
                of,
                pointer,
                self.value(),
                self.value(),
            )
        if how == 9:
            return self.bit(pointer, of)
        if how == 10:
            # What compilers make a flag of: lock sub; je.
            return "(%s_FETCH(%s, %s, %s, %d) %s 0)" % (
                self.pick(UPDATES),
                of,
                pointer,
                self.value(),
                self.order(),
                self.pick(["==", "!=", "<", ">=", ">"]),
            )
        if how == 11:
            return "(FETCH_ADD(%s, %s, %s, %d) == (%s)-(%s))" % (
                of,
                pointer,
                "n",
                self.order(),
                of,
                "n",
            )
        if of == "uint32_t":
            return self.pick(["ASM_ADD(%s, n)", "ASM_XADD(%s, n)", "ASM_INC(%s)"]) % (
                (pointer,)
            )
        return "EXCHANGE(%s, %s, %s, %d)" % (of, pointer, self.value(), self.order())

    def bit(self, pointer, of):
        """lock bts, btr and btc, of a constant or a variable bit."""
        width = WIDTHS.get(of, 32)
        bit = self.pick(
            [str(self.random.randrange(width - 1)), "(n & %d)" % (width - 1)]
        )
        mask = "((%s)1 << %s)" % (of, bit)
        which = self.random.randrange(4)
        if which == 0:
            return "((FETCH_OR(%s, %s, %s, %d) & %s) != 0)" % (
                of,
                pointer,
                mask,
                self.order(),
                mask,
            )
        if which == 1:
            return "((FETCH_AND(%s, %s, ~%s, %d) & %s) == 0)" % (
                of,
                pointer,
                mask,
                self.order(),
                mask,
            )
        if which == 2:
            return "((FETCH_XOR(%s, %s, %s, %d) & %s) != 0)" % (
                of,
                pointer,
                mask,
                self.order(),
                mask,
            )
        return "((OR_FETCH(%s, %s, %s, %d) >> %s) & 1)" % (
            of,
            pointer,
            mask,
            self.order(),
            bit,
        )

    def member(self, place):
        name, of = place.name, place.type
        order = "ORDER(%d)" % self.order()
        value = "(%s)(%s)" % (of, self.value())
        return self.pick(
            [
                "%s.fetch_add(%s, %s)" % (name, value, order),
                "%s.fetch_sub(%s, %s)" % (name, value, order),
                "%s.fetch_and(%s, %s)" % (name, value, order),
                "%s.fetch_or(%s, %s)" % (name, value, order),
                "%s.fetch_xor(%s)" % (name, value),
                "%s.exchange(%s, %s)" % (name, value, order),
                "%s.load()" % name,
                "++%s" % name,
                "%s++" % name,
                "--%s" % name,
                "(%s += %s)" % (name, value),
                "(%s |= %s)" % (name, value),
                "(%s = %s)" % (name, value),
                "(--%s == 0)" % name,
            ]
        )

    # Statements.

    def emit(self, text):
        self.lines.append("  " * (self.depth + 1) + text)

    def block(self, places, count):
        self.depth += 1
        for _ in range(count):
            self.statement(places)
        self.depth -= 1

    def statement(self, places):
        place = self.pick(places)
        how = self.random.randrange(20)
        if self.depth > 3:
            how = self.random.randrange(9)
        if how < 5:
            self.emit("sum = sum * 31 + (uint64_t)(%s);" % self.operation(place))
        elif how < 7:
            self.emit("(void)(%s);" % self.operation(place))
        elif how == 7:
            if place.standard:
                self.emit(
                    "%s.store((%s)(%s), ORDER(%d));"
                    % (
                        place.name,
                        place.type,
                        self.value(),
                        self.order(("consume", "acquire", "acq_rel")),
                    )
                )
            else:
                self.emit(
                    "STORE(%s, &%s, %s, %d);"
                    % (
                        place.type,
                        place.name,
                        self.value(),
                        self.order(("consume", "acquire", "acq_rel")),
                    )
                )
        elif how == 8:
            self.emit(
                "%s(%d);"
                % (self.pick(["FENCE", "FENCE", "SIGNAL_FENCE"]), self.order())
            )
        elif how < 11:
            self.emit("if (%s) {" % self.operation(place))
            self.block(places, self.random.randrange(1, 3))
            if self.chance(50):
                self.emit("} else {")
                self.block(places, self.random.randrange(1, 3))
            self.emit("}")
        elif how < 13:
            counter = self.name("i")
            self.emit(
                "for (int %s = 0; %s < %d; %s++) {"
                % (counter, counter, self.random.randrange(1, 5), counter)
            )
            self.block(places, self.random.randrange(1, 3))
            if self.chance(30):
                self.emit("  if (%s) break;" % self.operation(place))
            self.emit("}")
        elif how == 13:
            self.emit("switch ((unsigned)(%s) & 3) {" % self.operation(place))
            for case in range(self.random.randrange(2, 5)):
                self.emit("case %d: {" % case if case else "default: {")
                self.block(places, 1)
                self.emit("  break; }" if self.chance(70) else "}")
            self.emit("}")
        elif how == 14:
            old = self.name("old")
            if place.standard:
                self.emit("{ %s %s = %s.load();" % (place.type, old, place.name))
                self.emit(
                    "  while (!%s.compare_exchange_%s(%s, (%s)(%s * 3 + n))) sum++; }"
                    % (place.name, self.pick(["weak", "strong"]), old, place.type, old)
                )
            else:
                self.emit(
                    "{ %s %s = LOAD(%s, &%s, 0);"
                    % (place.type, old, place.type, place.name)
                )
                self.emit(
                    "  while (!CAS(%s, &%s, &%s, %s * 3 + n, %d, %d, %d)) sum++; }"
                    % (
                        place.type,
                        place.name,
                        old,
                        old,
                        self.random.randrange(2),
                        self.order(),
                        self.order(("release", "acq_rel")),
                    )
                )
        elif how == 15 and not place.standard:
            expected = self.name("expected")
            self.emit(
                "{ %s %s = (%s)(%s);" % (place.type, expected, place.type, self.value())
            )
            self.emit(
                "  if (CAS(%s, &%s, &%s, %s, 0, %d, %d)) sum += 3;"
                % (
                    place.type,
                    place.name,
                    expected,
                    self.value(),
                    self.order(),
                    self.order(("release", "acq_rel")),
                )
            )
            self.emit("  sum = sum * 31 + (uint64_t)%s; }" % expected)
        elif how == 16 and self.functions:
            function, of = self.pick(self.functions)
            fitting = [p for p in places if p.type == of and not p.standard]
            if fitting:
                self.emit(
                    "sum ^= %s((%s *)&%s, n & 31);"
                    % (function, of, self.pick(fitting).name)
                )
        elif how == 17 and self.cxx:
            self.emit("try {")
            self.block(places, 1)
            self.emit("  if (%s) throw (int)(sum & 255);" % self.operation(place))
            self.block(places, 1)
            self.emit("} catch (int caught) {")
            self.emit("  sum += (unsigned)caught;")
            self.block(places, 1)
            self.emit("}")
        elif how == 18 and self.cxx:
            lambda_name = self.name("lambda")
            self.emit("auto %s = [&](int n) {" % lambda_name)
            self.block(places, 2)
            self.emit("};")
            self.emit("%s(3);" % lambda_name)
        elif how == 19:
            # A place on the stack whose address gets away.
            of = self.pick(TYPES)
            local = self.name("local")
            self.emit(
                '%s %s = (%s)n; __asm__ __volatile__("" : : "r"(&%s) : "memory");'
                % (of, local, of, local)
            )
            self.emit(
                "sum = sum * 31 + (uint64_t)(%s);" % self.operation(Place(local, of))
            )
        else:
            self.emit("sum += (uint64_t)(%s);" % self.operation(place))

    # Functions.

    def function(self):
        of = self.pick(TYPES)
        name = self.name("f")
        attributes = self.pick(
            [
                "",
                "",
                "",
                "static ",
                "static __attribute__((noinline)) ",
                "static inline __attribute__((always_inline)) ",
                "__attribute__((cold)) ",
                "__attribute__((hot)) ",
                "__attribute__((noipa)) ",
                '__attribute__((section(".text.other"))) ',
                "__attribute__((aligned(64))) ",
                '__attribute__((optimize("O1"))) ',
            ]
        )
        template = self.cxx and self.chance(20)
        places = [p for p in self.places] + [Place("(*p)", of)] * 3
        if template:
            self.lines.append("template <class T>")
            attributes = ""
            places += [Place("(*p)", "T")] * 2
        self.lines.append(
            "%suint64_t %s(%s *p, int n) {"
            % (attributes, name, "T" if template else of)
        )
        self.emit("uint64_t sum = (uint64_t)n;")
        if self.chance(15) and not template and "always_inline" not in attributes:
            self.emit("static void *const labels[] = {&&first, &&second};")
            self.emit(
                "goto *labels[(unsigned)(%s) & 1];" % self.operation(self.pick(places))
            )
            self.lines.append("first: {")
            self.block(places, 2)
            self.lines.append("}")
            self.lines.append("second:")
            self.emit("sum += 2;")
        self.depth -= 1
        self.block(places, self.random.randrange(3, 8))
        self.depth += 1
        self.emit("(void)p;")
        self.emit("return sum;")
        self.lines.append("}")
        self.functions.append((name, of))

    def text(self):
        self.lines = ['#include "atomics.h"', ""]
        self.lines += self.declare() + [""]
        for _ in range(self.random.randrange(2, 6)):
            self.function()
            self.lines.append("")
        shared = [p for p in self.places if p.shared]
        self.lines.append("static void *add(void *ignored) {")
        self.lines.append("  (void)ignored;")
        self.lines.append("  for (int n = 0; n < 2000; n++) {")
        for place in shared:
            if place.standard:
                self.lines.append("    %s += 1;" % place.name)
            else:
                self.lines.append(
                    "    (void)FETCH_ADD(%s, &%s, 1, %d);"
                    % (place.type, place.name, self.order())
                )
        self.lines += [
            "  }",
            "  return NULL;",
            "}",
            "",
            "int main(void) {",
            "  uint64_t sum = 1;",
        ]
        self.lines.append("  for (int n = 0; n < %d; n++) {" % ROUNDS)
        for name, of in self.functions:
            local = self.name("argument")
            self.lines.append("    %s %s = (%s)(n * 7);" % (of, local, of))
            self.lines.append("    sum = sum * 31 + %s(&%s, n + 1);" % (name, local))
            self.lines.append("    sum += (uint64_t)%s;" % local)
        self.lines += ["    next_round(n);", "  }", "  run_in_two_threads(add);"]
        self.lines.append('  printf("%llx\\n", (unsigned long long)sum);')
        self.lines.append("  for (int n = 0; n < 5; n++) {")
        for place in self.places:
            self.lines.append(
                '    printf("%%llx ", (unsigned long long)%s);' % place.name
            )
        self.lines += ["  }", '  printf("\\n");', "}", ""]
        return "\n".join(self.lines)


def random_program(seed, cxx):
    """The text of a program."""
    return Program(seed, cxx).text()


if __name__ == "__main__":
    import sys

    print(random_program(int(sys.argv[1]), "c++" in sys.argv[2:]), end="")
