# SPDX-License-Identifier: MIT
UPLOCK := $(shell pkg-config --cflags uplock)
CFLAGS = -O2 $(UPLOCK)
CXXFLAGS = -O2 $(UPLOCK)

app: main.o part.o libcounter.so
	$(CXX) $(CXXFLAGS) $(LDFLAGS) -Wl,-rpath,'$$ORIGIN' $^ $(LDLIBS) -o $@

libcounter.so: counter.cc
	$(CXX) $(CXXFLAGS) -fPIC -shared $(LDFLAGS) $< -o $@
