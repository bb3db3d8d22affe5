// SPDX-License-Identifier: GPL-3.0-or-later

#include "image.h"

#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

using namespace uplock;

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
}

Image::~Image() { munmap(const_cast<uint8_t *>(bytes.data), bytes.size); }
