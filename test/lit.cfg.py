# SPDX-License-Identifier: GPL-3.0-or-later
#
# scripts/run-tests passes the build directory and the compilers in.

import ctypes
import os
import re
import shutil
import subprocess

import lit.formats

build = lit_config.params["build"]
gcc = lit_config.params["gcc"]
cxx = lit_config.params["cxx"]
root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

config.name = "uplock"
config.test_format = lit.formats.ShTest(True)
config.suffixes = [".c", ".cc", ".cpp", ".S", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(os.path.abspath(__file__))
config.test_exec_root = os.path.join(build, "test")

# The build directory, for the command.
config.environment["PATH"] = os.pathsep.join(
    [build, lit_config.params["llvm_bin"], os.environ["PATH"]]
)
config.environment["LC_ALL"] = "C"
config.environment["PKG_CONFIG_PATH"] = build


def pkg_config(what):
    return subprocess.run(
        ["pkg-config", what, "uplock"],
        env={**os.environ, "PKG_CONFIG_PATH": build},
        check=True,
        stdout=subprocess.PIPE,
        universal_newlines=True,
    ).stdout.strip()


def works(*command):
    """Does the command exist and succeed?"""
    return (
        shutil.which(command[0]) is not None
        and subprocess.run(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        ).returncode
        == 0
    )


def version(compiler):
    if not shutil.which(compiler):
        return None
    return subprocess.run(
        [compiler, "-dumpversion"], stdout=subprocess.PIPE, universal_newlines=True
    ).stdout.strip()


def built_by(headers):
    """The release of GCC that a kernel was compiled with."""
    try:
        with open(os.path.join(headers, ".config")) as config_file:
            found = re.search(
                r"^CONFIG_GCC_VERSION=(\d+)\d{4}$", config_file.read(), re.M
            )
    except OSError:
        return None
    return found and found[1]


multiarch = subprocess.run(
    [gcc, "-print-multiarch"], stdout=subprocess.PIPE, universal_newlines=True
).stdout.strip()

runtime_inputs = os.path.join(config.test_source_root, "runtime", "Inputs")
possible_cpus = os.path.join(runtime_inputs, "with-possible-cpus")

# make check puts them there (scripts/test-kernel), if they can be had.
kernel = os.path.join(build, "vmlinuz")
kernel_headers = os.path.join(build, "linux-headers", "build")
boot_init = os.path.join(config.test_source_root, "boot", "Inputs", "boot-init")

proven = os.path.join(config.test_source_root, "kinds", "Inputs", "proven")

# For other processors and systems.
cross_gccs = [
    name
    for triple in ["aarch64-linux-gnu", "arm-linux-gnueabihf", "riscv64-linux-gnu"]
    if shutil.which(name := triple + "-gcc-" + version(gcc))
]
mingw_gcc = "x86_64-w64-mingw32-gcc-posix"

# A GCC of another release, to load the plugin into by mistake.
other_gcc = "gcc-11" if version(gcc) != version("gcc-11") else "gcc-12"

# musl's wrapper, around the compiler under test. GCC 16 links libatomic by itself,
# which there is none of for musl.
without_libatomic = " -fno-link-libatomic" if int(version(gcc)) >= 16 else ""
musl = "env REALGCC=" + gcc + " musl-gcc" + without_libatomic

# Longer names first: lit replaces as text.
config.substitutions += [
    # The flags that a user gets from pkg-config, both halves.
    ("%uplock-flags", pkg_config("--cflags") + " " + pkg_config("--libs")),
    # The compile-time half alone.
    ("%uplock", pkg_config("--cflags")),
    ("%without-libatomic", without_libatomic),
    ("%plugin", os.path.join(build, "uplock.so")),
    ("%cross-gccs", " ".join(cross_gccs)),
    ("%mingw-gcc", mingw_gcc),
    ("%other-gcc", other_gcc),
    ("%musl", musl),
    ("%gcc", gcc),
    ("%cxx", cxx),
    ("%m32", "-m32 -idirafter /usr/include/" + multiarch),
    ("%root", root),
    ("%build", build),
    # A machine with this kernel: %boot CPUS WORDS INIT PROGRAM...
    ("%boot", boot_init + " " + kernel),
    # What modules for it are built with.
    ("%kernel-headers", kernel_headers),
    # Proof by disassembly, independent of the plugin: see the script.
    ("%with-possible-cpus", possible_cpus),
    # The same under many flags: %proven-c %s %t.d --cover LIST -- FLAGS...
    (
        "%proven-cxx",
        " ".join([proven, os.path.join(build, "uplock.so"), cxx]),
    ),
    ("%proven-c", " ".join([proven, os.path.join(build, "uplock.so"), gcc])),
    ("%proven-by", proven + " " + os.path.join(build, "uplock.so")),
    ("%prove", os.path.join(root, "scripts", "prove-table")),
    # How much of each function is locked, and in the table: see the script.
    (
        "%sites",
        os.path.join(
            config.test_source_root, "keep", "Inputs", "sites-in.py"
        ),
    ),
    # Boots a kernel in QEMU and prints its serial line: see the script.
    ("%run-kernel", os.path.join(root, "examples", "kernel", "run")),
    ("%kernel64", os.path.join(build, "kernel", "64", "kernel.elf")),
    ("%kernel32", os.path.join(build, "kernel", "32", "kernel.elf")),
    ("%identical", os.path.join(root, "scripts", "text-identical")),
]

# The other languages' compilers of the same release.
for feature, compiler in [
    ("gfortran", "gfortran-"),
    ("gnat", "gnatmake-"),
    ("gdc", "gdc-"),
    ("gccgo", "gccgo-"),
]:
    compiler += version(gcc)
    config.substitutions.insert(0, ("%" + feature, compiler))
    if shutil.which(compiler):
        config.available_features.add(feature)

for linker in ["bfd", "lld", "gold", "mold"]:
    if shutil.which("mold" if linker == "mold" else "ld." + linker):
        config.available_features.add(linker)
if os.path.exists(os.path.join(build, "lib", "32", "libuplock.a")):
    config.available_features.add("m32")
if len(os.sched_getaffinity(0)) > 1:
    config.available_features.add("two-cpus")
cpuset = "/sys/fs/cgroup/cpuset"
config.substitutions.append(("%cpuset", cpuset))
if os.access(os.path.join(cpuset, "cpuset.cpus"), os.W_OK):
    config.available_features.add("cpuset")
huge_pages = "/sys/kernel/mm/transparent_hugepage/enabled"
if os.path.exists(huge_pages) and "[never]" not in open(huge_pages).read():
    config.available_features.add("huge-pages")
# PR_SET_MDWE, Linux 6.3. PR_GET_MDWE asks.
if ctypes.CDLL(None).prctl(66, 0, 0, 0, 0) >= 0:
    config.available_features.add("mdwe")
if cross_gccs:
    config.available_features.add("cross")
if version(mingw_gcc) == version(gcc) + "-posix":
    config.available_features.add("mingw")
if works(possible_cpus, os.devnull, "true"):
    config.available_features.add("mount-namespace")
if os.geteuid() == 0:
    config.available_features.add("root")
if shutil.which(other_gcc):
    config.available_features.add("other-gcc")
if shutil.which("qemu-x86_64"):
    config.available_features.add("qemu-user")
if shutil.which("clang"):
    config.available_features.add("clang")
if works("rustc", "--version"):
    config.available_features.add("rust")
if shutil.which("musl-gcc"):
    config.available_features.add("musl")
if shutil.which("qemu-system-x86_64"):
    config.available_features.add("qemu-system")
if os.path.exists(kernel):
    config.available_features.add("kernel")
if works("make", "-C", kernel_headers, "kernelversion"):
    config.available_features.add("kernel-headers")
# Another release does not know all the flags that were chosen then.
if built_by(kernel_headers) == version(gcc):
    config.available_features.add("kernel-compiler")
# Containers may forbid it to trace.
if works("gdb", "-nx", "-batch", "-return-child-result", "-ex", "run", "/bin/true"):
    config.available_features.add("gdb")
# make check unpacks them there (scripts/real-programs), if they can be had.
for program in ["liburcu", "mimalloc"]:
    if os.path.exists(os.path.join(build, "real", program, "fetched")):
        config.available_features.add("real-" + program)
# What scripts/bench needs.
if shutil.which("gnuplot") and works(
    *[cxx, "-E", "-include", "benchmark/benchmark.h"],
    *["-include", "boost/lockfree/queue.hpp", "-x", "c++", os.devnull],
):
    config.available_features.add("bench")
if os.path.exists(os.path.join(build, "uplock")):
    config.available_features.add("tools")
if os.path.isdir("/usr/include/csmith"):
    config.available_features.add("csmith")
# There where the kernel has fs-verity.
if os.path.isdir("/proc/sys/fs/verity") and all(
    map(shutil.which, ["fsverity", "mkfs.ext4"])
):
    config.available_features.add("verity")
if shutil.which("fish"):
    config.available_features.add("fish")
if all(map(shutil.which, ["dh", "dpkg-buildpackage", "lintian"])):
    config.available_features.add("debhelper")
if shutil.which("mandoc"):
    config.available_features.add("mandoc")
if shutil.which("valgrind"):
    config.available_features.add("valgrind")

# The kernels of examples/kernel, and what boots them.
if works("qemu-system-x86_64", "--version"):
    for width in ["64", "32"]:
        if os.path.exists(os.path.join(build, "kernel", width, "kernel.elf")):
            config.available_features.add("kernel" + width)
    # Where the processor's own virtualisation is there, and not just the device.
    with open("/proc/cpuinfo") as cpuinfo:
        flags = set(cpuinfo.read().split())
    if flags & {"vmx", "svm"} and os.access("/dev/kvm", os.R_OK | os.W_OK):
        config.available_features.add("kvm")
if all(map(shutil.which, ["grub-mkrescue", "xorriso", "mformat"])) and os.path.isdir(
    "/usr/lib/grub/i386-pc"
):
    config.available_features.add("grub-image")
