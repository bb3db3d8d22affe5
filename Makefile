# SPDX-License-Identifier: GPL-3.0-or-later
#
# make help lists the targets. What a user may set:
#
#   GCC       the compiler that the plugin is for and that the tests use
#   CXX       its C++ driver (default: GCC with g++ for gcc)
#   HOSTCXX   compiles the plugin itself
#   BUILD     where everything goes
#   PREFIX, DESTDIR, LIBDIR, PLUGINDIR   where `make install` puts it; with
#             PREFIX=/usr the plugin goes to GCC's own directory for plugins
#   CXXFLAGS, LDFLAGS                    added last to what is built

VERSION := 0.1.0

GCC ?= gcc
ifeq ($(origin CXX),default)
CXX := $(subst gcc,g++,$(GCC))
endif
HOSTCXX ?= g++
BUILD ?= build
PREFIX ?= /usr/local
LIBDIR ?= $(PREFIX)/lib
# Where GCC looks for plugins without a path: at its own place, and before that
# below each -B, at the place of its target and release (docs/design.md).
PLUGINDIR ?= $(if $(filter /usr,$(PREFIX)),$(gcc_plugins),$(LIBDIR)/uplock/$(gcc_target)/$(gcc_major)/plugin)

# They stand in flags, and programs are built in other directories.
$(foreach name,PREFIX LIBDIR,\
  $(if $(filter-out /%,$($(name)))$(word 2,$($(name))),\
    $(error $(name)='$($(name))': an absolute path without spaces is needed)))

# The targets of the README see to their own set-up, before anything else looks
# at what is installed.
ifneq (,$(filter check demo demo-boot matrix gcc-matrix bench,$(MAKECMDGOALS)))
ifeq (,$(findstring n,$(firstword -$(MAKEFLAGS))))
ifneq (done,$(shell scripts/setup $(GCC) >&2 && echo done))
$(error what is needed is not installed, see above)
endif
endif
endif

gcc_version = $(shell $(GCC) -dumpfullversion 2>/dev/null)
gcc_major = $(shell $(GCC) -dumpversion 2>/dev/null)
gcc_plugins = $(shell $(GCC) -print-file-name=plugin 2>/dev/null)
gcc_headers = $(gcc_plugins)/include
plugin_package = gcc-$(gcc_major)-plugin-dev$(gcc_cross)
gcc_target := $(shell $(GCC) -dumpmachine 2>/dev/null)
gcc_cross = $(if $(filter x86_64-linux-gnu,$(gcc_target)),,-$(subst _,-,$(gcc_target)))

plugin_sources := $(wildcard plugin/*.cc)
plugin_objects := $(plugin_sources:plugin/%.cc=$(BUILD)/plugin/%.o)
runtime_sources := $(wildcard runtime/*.cc)
tool_sources := $(wildcard tools/*.cc)
tool_objects := $(tool_sources:tools/%.cc=$(BUILD)/tools/%.o)
archives := $(BUILD)/lib/libuplock.a
# Those that users include, apart from the others: no program should find our
# text.h instead of its own.
headers := $(patsubst %,$(BUILD)/include/%,uplock.h uplock-asm.h uplock-process.h)

# The 32-bit archive needs the C library's 32-bit headers (package
# g++-multilib), and is left out without them. Where gcc-multilib itself is not
# installed (it conflicts with every cross compiler), asm/ is found only in the
# 64-bit system's directory.
m32 = -m32 -idirafter /usr/include/$(shell $(GCC) -print-multiarch 2>/dev/null)
ifneq (,$(shell echo '\#include <fcntl.h>' | \
	  { $(CXX) $(m32) -E -x c++ - >/dev/null; } 2>/dev/null && echo yes))
archives += $(BUILD)/lib/32/libuplock.a
endif

warnings := -Wall -Wextra
plugin_flags = -std=c++17 -O2 -g $(warnings) -fPIC -fno-rtti -fno-exceptions \
	-DUPLOCK_VERSION='"$(VERSION)"' -DUPLOCK_GCC_VERSION='"$(gcc_version)"' \
	-isystem $(gcc_headers) -MMD -MP $(CXXFLAGS)
# Small where it runs once, fast where it runs for each site and page.
optimisation = $(if $(filter %/uplock.o %/text.o,$@),-O2,-Os)
# -fcf-protection: one object without its marks, and the linker takes a program's
# shadow stack and branch tracking away.
runtime_flags = -std=c++17 $(optimisation) -g $(warnings) -fPIC -ffreestanding \
	-fno-exceptions -fno-rtti -fno-stack-protector -fvisibility=hidden \
	-D_LARGEFILE64_SOURCE \
	-fcf-protection -MMD -MP $(CXXFLAGS)

tool_flags = -std=c++17 -O2 -g $(warnings) -DUPLOCK_VERSION='"$(VERSION)"' \
	-MMD -MP $(CXXFLAGS)

.DELETE_ON_ERROR:
.SUFFIXES:
.PHONY: all plugin runtime tools kernel check demo demo-boot matrix gcc-matrix \
	random real real-plugins scan-report libc-suite bench install install-plugin \
	install-library uninstall deb deb-check setup format clean help

all: plugin runtime tools ## build the plugin, the runtime and the command (default)

plugin: $(BUILD)/uplock.so ## build the plugin only (a cross GCC's, for example)

runtime: $(archives) $(headers) $(BUILD)/uplock-uninstalled.pc ## build the library only

tools: $(BUILD)/uplock ## build the command uplock only

# What the plugin takes from GCC is weak: a GCC of another release, which may
# lack some of it, must still load the plugin to be told that it cannot use it
# (check_gcc in plugin.cc, before anything else). With it goes what it takes of the
# C++ library, where there is an archive of that: most compilers do not load the
# shared one, and to do so takes 4 million instructions. To the linker a weak name
# needs no library; so the C library is named, and the driver's others are left out.
static_cxx := $(wildcard $(shell $(HOSTCXX) -print-file-name=libstdc++.a))
$(BUILD)/uplock.so: $(plugin_objects)
	$(HOSTCXX) -r -nostdlib -o $(BUILD)/plugin/all.o $^ \
	  $(static_cxx) $(if $(static_cxx),-lgcc_eh -lgcc)
	objcopy --weaken $(BUILD)/plugin/all.o
	$(HOSTCXX) -shared -Wl,--no-as-needed -o $@ $(BUILD)/plugin/all.o \
	  $(if $(static_cxx),-nodefaultlibs -lc) $(LDFLAGS)

$(BUILD)/plugin/%.o: plugin/%.cc $(BUILD)/plugin/.headers
	$(HOSTCXX) $(plugin_flags) -c $< -o $@

# Is everything here that the plugin is compiled with? Made anew for another
# compiler, and everything with it.
ifneq ($(GCC) $(gcc_version),$(file <$(BUILD)/plugin/.headers))
.PHONY: $(BUILD)/plugin/.headers
endif
$(BUILD)/plugin/.headers:
	@command -v $(GCC) >/dev/null || \
	  { echo "make: no compiler $(GCC): install it or set GCC=" >&2; exit 1; }
	@test -n "$(gcc_version)" || \
	  { echo "make: $(GCC) is no GCC, which the plugin is for: set GCC=" >&2; exit 1; }
	@test -f $(gcc_headers)/gcc-plugin.h || \
	  { echo "make: no plugin headers for $(GCC): install the package" \
	    "$(plugin_package)" >&2; exit 1; }
	@mkdir -p $(@D) && echo "$(GCC) $(gcc_version)" > $@

$(BUILD)/uplock: $(tool_objects)
	$(HOSTCXX) -o $@ $^ -lZydis -ldw -lelf -liberty $(LDFLAGS)

$(BUILD)/tools/%.o: tools/%.cc $(BUILD)/tools/.headers
	$(HOSTCXX) $(tool_flags) -c $< -o $@

# Is everything here that the command is compiled with?
$(BUILD)/tools/.headers:
	@mkdir -p $(@D)
	@missing= && for pair in libelf.h:libelf-dev elfutils/libdwfl.h:libdw-dev \
	  Zydis/Disassembler.h:libzydis-dev CLI/CLI.hpp:libcli11-dev \
	  libiberty/demangle.h:libiberty-dev; do \
	  echo "#include <$${pair%:*}>" | \
	    $(HOSTCXX) $(CXXFLAGS) -M -x c++ - >/dev/null 2>&1 || \
	    missing="$$missing $${pair#*:}"; \
	done; test -z "$$missing" || \
	  { echo "make: headers for the command uplock are missing: install the" \
	    "packages$$missing, or do without it:" \
	    "make install-plugin install-library" >&2; exit 1; }
	@touch $@

runtime_objects = $(runtime_sources:runtime/%.cc=$(BUILD)/runtime/$(1)/%.o)

$(BUILD)/lib/libuplock.a: $(call runtime_objects,64)
$(BUILD)/lib/32/libuplock.a: $(call runtime_objects,32)
$(BUILD)/lib/libuplock.a $(BUILD)/lib/32/libuplock.a:
	@mkdir -p $(@D) && rm -f $@
	$(AR) rcs $@ $^

$(BUILD)/runtime/64/%.o: runtime/%.cc Makefile
	@mkdir -p $(@D)
	$(CXX) $(runtime_flags) -c $< -o $@

$(BUILD)/runtime/32/%.o: runtime/%.cc Makefile
	@mkdir -p $(@D)
	$(CXX) $(m32) $(runtime_flags) -c $< -o $@

$(BUILD)/include/%.h: runtime/%.h
	@mkdir -p $(@D)
	cp $< $@

# The flags without an installation, for the one compiler. -fplugin is in Libs too:
# with -flto the code is generated at the link. -B and not -L: the driver adds the
# 32 of -m32 to it.
$(BUILD)/uplock-uninstalled.pc: Makefile
	@mkdir -p $(@D)
	@printf '%s\n' 'Name: uplock' 'Description: uplock, not installed' \
	  'Version: $(VERSION)' \
	  'Cflags: -fplugin=$(abspath $(BUILD))/uplock.so -I$(abspath $(BUILD))/include' \
	  'Libs: -fplugin=$(abspath $(BUILD))/uplock.so -B$(abspath $(BUILD))/lib -Wl,-u,uplock_process_start -luplock' > $@

# Its own Makefile is one to copy, and knows nothing of ours. The compiler's
# plugin has changed: so has everything.
widths := 64 $(if $(filter %/lib/32/libuplock.a,$(archives)),32)
kernel: all $(BUILD)/kernel/.plugin ## build the kernel of examples/kernel
	for width in $(widths); do \
	  $(MAKE) --no-print-directory -C examples/kernel WIDTH=$$width CXX=$(CXX) \
	    BUILD=$(abspath $(BUILD))/kernel \
	    UPLOCK=-fplugin=$(abspath $(BUILD))/uplock.so || exit; done

$(BUILD)/kernel/.plugin: $(BUILD)/uplock.so
	rm -rf $(@D) && mkdir -p $(@D) && touch $@

# For test/real; once is enough, where there are several compilers.
ifeq ($(gcc_version),$(shell gcc -dumpfullversion 2>/dev/null))
fetch_real = $(if $(filter-out test/real%,$(TESTS)),,scripts/real-programs --fetch \
	  $(BUILD) $(GCC) $(CXX) liburcu mimalloc)
endif
check: all kernel ## install what the tests need, then run them
	-@scripts/test-kernel $(BUILD)/vmlinuz $(BUILD)/linux-headers
	$(if $(fetch_real),-@$(fetch_real))
	scripts/run-tests $(BUILD) $(GCC) $(CXX) $(TESTS)

matrix: all ## print the table of flags under which the table is proven
	scripts/flag-matrix $(BUILD) $(GCC) $(CXX)

gcc-matrix: ## build and test with each GCC from 11 to 16, print a table
	scripts/gcc-matrix $(BUILD)

random: all ## compile 10,000 random programs and prove what the plugin promises
	scripts/random-programs $(BUILD) $(GCC) $(CXX) --count 10000

demo: all ## install what the demo needs, then show and measure real code
	scripts/demo $(BUILD) $(GCC) $(CXX)

real: all ## build real programs from Debian's sources, test them in both modes, measure
	scripts/real-programs $(BUILD) $(GCC) $(CXX) $(PROGRAMS)

real-plugins: all ## build a program with plugins from Debian's source, test it in both modes
	scripts/real-fcitx5 $(BUILD) $(GCC) $(CXX)

scan-report: tools ## print what uplock scan takes of the libraries of others, and leaves
	scripts/scan-report $(BUILD) $(GCC)

libc-suite: tools ## run the C library's own tests of threads on copies for one CPU
	scripts/libc-suite $(BUILD) $(GCC) $(CXX)

demo-boot: kernel ## boot a kernel that takes its locks away, with and without a second CPU
	scripts/demo-boot $(BUILD)

bench: all ## measure what uplock is worth, beside other ways, and plot it
	scripts/bench $(BUILD) $(GCC) $(CXX)

setup: ## install the packages needed, or say which
	scripts/setup $(GCC)

# One after another for several releases of GCC: what is not the plugin they share.
install: all install-plugin install-library ## install under DESTDIR PREFIX
	install -D -m 755 $(BUILD)/uplock $(DESTDIR)$(PREFIX)/bin/uplock
	install -D -m 644 tools/completion/uplock.bash \
	  $(DESTDIR)$(PREFIX)/share/bash-completion/completions/uplock
	install -D -m 644 tools/completion/_uplock \
	  $(DESTDIR)$(PREFIX)/share/zsh/site-functions/_uplock
	install -D -m 644 tools/completion/uplock.fish \
	  $(DESTDIR)$(PREFIX)/share/fish/vendor_completions.d/uplock.fish
	$(call install_filled,docs/uplock.1,$(man)/man1/uplock.1)

# The specs are written whenever the plugin is: ccache looks at them, not at it.
install-plugin: plugin ## install the plugin only, for one more GCC
	install -D -m 644 $(BUILD)/uplock.so $(DESTDIR)$(PLUGINDIR)/uplock.so
	$(call install_filled,config/uplock.specs.in,$(LIBDIR)/uplock/uplock.specs,\
	  -e "s|@PLUGIN@|$$(sha256sum < $(BUILD)/uplock.so)|")

# The pages keep their places to one another, for their links.
install-library: runtime ## install the library, its headers and the documents only
	for archive in $(archives:$(BUILD)/lib/%=%); do \
	  install -D -m 644 $(BUILD)/lib/$$archive \
	    $(DESTDIR)$(LIBDIR)/uplock/$$archive || exit; done
	install -D -m 644 -t $(DESTDIR)$(PREFIX)/include $(headers)
	$(call install_filled,config/uplock.pc.in,$(LIBDIR)/pkgconfig/uplock.pc)
	for file in uplock-config.cmake uplock-config-version.cmake; do \
	  $(call install_filled,config/$$file.in,$(LIBDIR)/cmake/uplock/$$file) || exit; \
	done
	install -D -m 644 config/uplock.m4 $(DESTDIR)$(PREFIX)/share/aclocal/uplock.m4
	$(call install_filled,docs/uplock.3,$(man)/man3/uplock.3)
	for name in $(functions); do \
	  echo '.so man3/uplock.3' > $(DESTDIR)$(man)/man3/$$name.3 || exit; done
	$(call install_filled,docs/gcc-plugin-uplock.7,$(man)/man7/gcc-plugin-uplock.7)
	for file in $(documents); do \
	  install -D -m 644 $$file $(DESTDIR)$(doc)/$$file || exit; done

uninstall: ## remove what was installed (with PREFIX=/usr the plugin of one GCC)
	rm -rf $(addprefix $(DESTDIR),$(LIBDIR)/uplock $(LIBDIR)/cmake/uplock $(doc))
	rm -f $(addprefix $(DESTDIR),$(PLUGINDIR)/uplock.so \
	  $(LIBDIR)/pkgconfig/uplock.pc $(headers:$(BUILD)/%=$(PREFIX)/%) \
	  $(addprefix $(PREFIX)/,bin/uplock share/aclocal/uplock.m4 \
	    share/bash-completion/completions/uplock share/zsh/site-functions/_uplock \
	    share/fish/vendor_completions.d/uplock.fish) \
	  $(addprefix $(man)/,man1/uplock.1 man7/gcc-plugin-uplock.7 \
	    $(patsubst %,man3/%.3,uplock $(functions))))

man = $(PREFIX)/share/man
doc = $(PREFIX)/share/doc/uplock
documents := README.md CHANGELOG.md $(wildcard docs/*.md docs/*/*.md docs/*.svg)
# Each has its name for a page as well.
functions = $(shell sed -n 's/^\.Nm \(uplock_[a-z_]*\).*/\1/p' docs/uplock.3)

# Writes a file with the names of places filled in: FILE, DESTINATION, what else.
install_filled = mkdir -p $(dir $(DESTDIR)$(2)) && \
	sed -e 's|@VERSION@|$(VERSION)|' -e 's|@LIBDIR@|$(LIBDIR)|g' \
	-e 's|@INCLUDEDIR@|$(PREFIX)/include|' -e 's|@DOCDIR@|$(doc)|' \
	$(3) $(1) > $(DESTDIR)$(2)

deb: ## build Debian packages, in BUILD/deb
	scripts/make-deb $(BUILD) $(VERSION) $(RELEASES)

deb-check: ## try these packages in a fresh Debian (as root)
	scripts/test-deb $(BUILD)

format: ## format the sources as the house style wants them
	clang-format -i plugin/*.cc plugin/*.h runtime/*.cc runtime/*.h \
	  tools/*.cc tools/*.h examples/*.cc examples/*.h \
	  examples/kernel/*.cc examples/kernel/*.h bench/*.cc bench/*.h

clean: ## remove what was built
	rm -rf $(BUILD)

help: ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile | expand -t 24

-include $(wildcard $(BUILD)/plugin/*.d $(BUILD)/runtime/*/*.d \
	$(BUILD)/tools/*.d)
