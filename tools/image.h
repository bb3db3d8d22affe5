// SPDX-License-Identifier: GPL-3.0-or-later
//
// A whole file, mapped into memory: of a kernel with gigabytes of debugging
// information, only the code is read. If somebody truncates it meanwhile, the
// command ends with an error.

#ifndef UPLOCK_IMAGE_H
#define UPLOCK_IMAGE_H

#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include <sys/stat.h>

namespace uplock {

// An input that cannot be judged: what() says why, and what to do about it.
struct Unusable : std::runtime_error {
  using runtime_error::runtime_error;
};

struct Bytes {
  const uint8_t *data = nullptr;
  size_t size = 0;
};

// One at a time.
class Image {
public:
  // Throws Unusable.
  explicit Image(const std::string &path);
  ~Image();
  Image(const Image &) = delete;
  Image &operator=(const Image &) = delete;

  // Since it was opened, or there is another file of its name.
  bool has_changed() const;

  const std::string path;
  struct stat status;
  Bytes bytes;
};

} // namespace uplock

#endif
