# SPDX-License-Identifier: MIT
UPLOCK := $(shell pkg-config --cflags uplock)
CFLAGS = -O2
CXXFLAGS = -O2
override CFLAGS += $(UPLOCK)
override CXXFLAGS += $(UPLOCK)

app: main.o part.o libcounter.so
	$(CXX) $(CXXFLAGS) $(LDFLAGS) -Wl,-rpath,'$$ORIGIN' $^ $(LDLIBS) -o $@

libcounter.so: counter.cc
	$(CXX) $(CXXFLAGS) -fPIC -shared $(LDFLAGS) $< -o $@
