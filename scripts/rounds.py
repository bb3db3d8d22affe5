# SPDX-License-Identifier: GPL-3.0-or-later
#
# Compares variants of Google Benchmark programs on a machine that others use
# too; for scripts/demo and scripts/bench.
#
# A timing on a shared machine is full of noise, and the noise drifts: whatever
# is measured second looks slow in a bad minute. So the variants take turns in
# many short rounds, every other round backwards, and the median counts: of the
# times, and of the ratios to the first variant in the same round, in which the
# drift cancels out. The cost is that each round starts every process anew.
#
# All run on one CPU, the one that had least to do. Time is the process's CPU
# time: what others take off the CPU is not in it, but what they do to caches
# and memory is.
#
# Words: a program holds rows (its benchmarks) and comes in variants; what is
# measured are nanoseconds, one number a row, a variant and a round.

import json
import os
import re
import statistics
import subprocess
import time

ROUNDS = 41
SECONDS_PER_ROW = "0.02"  # in each round, for each variant

HEADING = """\
Nanoseconds of CPU time per operation, and the ratio to %s: less is better.
Medians of %d rounds; the ratio is that of the times in the same round.
"""


def quietest_cpu():
    """Of the CPUs that we may use, the one that idled most for a second; the
    last one if they are all alike."""

    def idle_times():
        with open("/proc/stat") as stat:
            lines = [line.split() for line in stat]
        return {
            int(words[0][3:]): int(words[4])
            for words in lines
            if re.fullmatch(r"cpu\d+", words[0])
        }

    before = idle_times()
    time.sleep(1)
    after = idle_times()
    return max(
        os.sched_getaffinity(0),
        key=lambda cpu: (after.get(cpu, 0) - before.get(cpu, 0), cpu),
    )


def cpu_name():
    with open("/proc/cpuinfo") as cpuinfo:
        pairs = [line.split(":", 1) for line in cpuinfo if ":" in line]
    values = {name.strip(): value.strip() for name, value in pairs}
    return "%s (family %s, model %s)" % (
        values.get("model name", "unknown CPU"),
        values.get("cpu family", "?"),
        values.get("model", "?"),
    )


def pinned(cpu, program):
    return ["taskset", "-c", str(cpu), program]


def measure(programs, cpu, rounds=ROUNDS, seconds=SECONDS_PER_ROW):
    """PROGRAMS: {name: {variant: (file, environment)}}, the variants the same
    for all of them. Returns {(name, row): {variant: [time of each round]}}, in
    the order in which they were given."""
    turns = [
        (name, variant, file, environment)
        for name, variants in programs.items()
        for variant, (file, environment) in variants.items()
    ]
    times = {}
    for _ in range(rounds):
        for name, variant, file, environment in turns:
            output = subprocess.run(
                pinned(cpu, file)
                + [
                    "--benchmark_format=json",
                    "--benchmark_min_time=" + seconds,
                ],
                env=environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                universal_newlines=True,
                check=True,
            ).stdout
            for result in json.loads(output)["benchmarks"]:
                row = times.setdefault((name, result["name"]), {})
                row.setdefault(variant, []).append(result["cpu_time"])
        turns.reverse()
    return times


def ratios(row, variant, base=None):
    """Those of each round, to BASE or else to the first variant."""
    first = row[base] if base else next(iter(row.values()))
    return [ours / other for ours, other in zip(row[variant], first)]


def print_table(times):
    variants = list(next(iter(times.values())))
    print(HEADING % (variants[0], ROUNDS))
    print("%-30s%6s" % ("", variants[0]), end="")
    print("".join("%15s" % variant for variant in variants[1:]))
    previous = None
    for (program, name), row in times.items():
        if program != previous:
            print(program)
            previous = program
        line = "  %-27s" % name
        for variant in variants:
            line += "%7.1f" % statistics.median(row[variant])
            if variant != variants[0]:
                ratio = statistics.median(ratios(row, variant))
                line += " (%.2f) " % ratio
        print(line.rstrip())


def spreads(times):
    """How far from the median half of the rounds are, in percent: of the times,
    and of the ratios. Typical values: medians over all rows and variants."""

    def spread(values):
        low, middle, high = statistics.quantiles(values, n=4)
        return 100 * (high - low) / 2 / middle

    pairs = [(row, variant) for row in times.values() for variant in row]
    of_times = [spread(row[variant]) for row, variant in pairs]
    of_ratios = [
        spread(ratios(row, variant))
        for row, variant in pairs
        if variant != next(iter(row))
    ]
    return statistics.median(of_times), statistics.median(of_ratios)
