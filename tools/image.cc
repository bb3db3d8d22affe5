// SPDX-License-Identifier: GPL-3.0-or-later

#include "image.h"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "output.h"

using namespace uplock;

namespace {

const Image *mapped; // the one that there is

// A page that the file no longer has, or that the disk does not give. No caller
// expects it to fail to read memory: it ends here. The signal comes out of an
// instruction that reads the file, never out of the C library's locks, and no
// temporary file is there: those are written without reading a mapping
// (replacement.cc).
void stop_reading(int, siginfo_t *info, void *) {
  auto address = reinterpret_cast<uintptr_t>(info->si_addr);
  auto begin = mapped ? reinterpret_cast<uintptr_t>(mapped->bytes.data) : 0;
  if (!mapped || address - begin >= mapped->bytes.size) {
    signal(SIGBUS, SIG_DFL); // not ours: it comes again
    return;
  }
  print_error(mapped->path, mapped->has_changed()
                                ? "changed while it was read (stopped)"
                                : "cannot be read: an error of the disk "
                                  "(stopped)");
  _exit(unusable);
}

} // namespace

Image::Image(const std::string &path) : path(path) {
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0)
    throw Unusable(strerror(errno));
  const char *problem = nullptr;
  if (fstat(fd, &status))
    problem = strerror(errno);
  else if (!S_ISREG(status.st_mode))
    problem = "not a regular file";
  else if (!status.st_size)
    problem = "not an ELF file: it is empty";
  if (!problem) {
    bytes.size = status.st_size;
    void *data = mmap(nullptr, bytes.size, PROT_READ, MAP_PRIVATE, fd, 0);
    if (data == MAP_FAILED)
      problem = strerror(errno);
    else
      bytes.data = static_cast<const uint8_t *>(data);
  }
  close(fd);
  if (problem)
    throw Unusable(problem);
  mapped = this;
  struct sigaction action = {};
  action.sa_sigaction = stop_reading;
  action.sa_flags = SA_SIGINFO;
  sigaction(SIGBUS, &action, nullptr);
}

bool Image::has_changed() const {
  struct stat now;
  return stat(path.c_str(), &now) || now.st_dev != status.st_dev ||
         now.st_ino != status.st_ino || now.st_size != status.st_size ||
         now.st_mtim.tv_sec != status.st_mtim.tv_sec ||
         now.st_mtim.tv_nsec != status.st_mtim.tv_nsec;
}

Image::~Image() {
  mapped = nullptr;
  munmap(const_cast<uint8_t *>(bytes.data), bytes.size);
}
