// SPDX-License-Identifier: GPL-3.0-or-later

#include "signature.h"

#include <algorithm>
#include <cstring>

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/xattr.h>
#include <unistd.h>

using namespace uplock;

namespace {

// Linux, scripts/sign-file.c.
constexpr char module_signature[] = "~Module signature appended~\n";

// bsign; Solaris elfsign; AppImage, which leaves room for one.
const char *const signature_sections[] = {"signature", ".SUNW_signature",
                                          ".sha256_sig"};

bool is_zero(Bytes bytes) {
  return std::all_of(bytes.data, bytes.data + bytes.size,
                     [](uint8_t byte) { return !byte; });
}

} // namespace

std::string uplock::signature_in(const ElfFile &file) {
  Bytes bytes = file.bytes;
  constexpr size_t length = sizeof module_signature - 1;
  if (bytes.size >= length &&
      !memcmp(bytes.data + bytes.size - length, module_signature, length))
    return "is signed as a kernel module: patch it before it is signed";
  for (const Section &section : file.sections())
    for (const char *name : signature_sections)
      if (!strcmp(section.name, name) && !is_zero(section.bytes))
        return std::string("is signed (section ") + name +
               "): patch it before it is signed";

  uint64_t end = std::min<uint64_t>(file.end(), bytes.size);
  Bytes rest{bytes.data + end, static_cast<size_t>(bytes.size - end)};
  if (!is_zero(rest))
    return "has " + std::to_string(rest.size) +
           " bytes appended that are no part of the ELF file (a signature? an "
           "archive?): patch it before they are";
  return "";
}

std::string uplock::signature_of(const std::string &path) {
  for (const char *name : {"security.ima", "security.evm"})
    if (getxattr(path.c_str(), name, nullptr, 0) >= 0)
      return std::string("is signed (extended attribute ") + name +
             "): write to another file with -o";
  int flags = 0;
  int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  bool is_verity =
      fd >= 0 && !ioctl(fd, FS_IOC_GETFLAGS, &flags) && flags & FS_VERITY_FL;
  if (fd >= 0)
    close(fd);
  return is_verity ? "is signed (fs-verity): write to another file with -o"
                   : "";
}
