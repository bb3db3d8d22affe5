// SPDX-License-Identifier: GPL-3.0-or-later

#include "replacement.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

using namespace uplock;

namespace {

[[noreturn]] void fail(const std::string &what) {
  throw Unusable(what + ": " + strerror(errno) + " (nothing written)");
}

[[noreturn]] void fail_changed() {
  throw Unusable("changed while it was read (nothing written)");
}

// No signal from the terminal comes between the temporary file and its end.
class SignalsHeld {
public:
  SignalsHeld() {
    sigset_t signals;
    sigemptyset(&signals);
    for (int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT})
      sigaddset(&signals, signal);
    sigprocmask(SIG_BLOCK, &signals, &before);
  }
  ~SignalsHeld() { sigprocmask(SIG_SETMASK, &before, nullptr); }

private:
  sigset_t before;
};

// Removed, unless it got its final name.
class TemporaryFile {
public:
  explicit TemporaryFile(const std::string &destination) {
    size_t slash = destination.rfind('/');
    directory =
        slash == std::string::npos ? "." : destination.substr(0, slash + 1);
    path = (slash == std::string::npos ? "" : directory) + ".uplock-XXXXXX";
    fd = mkostemp(path.data(), O_CLOEXEC);
    if (fd < 0)
      fail("cannot write to " + directory);
  }
  ~TemporaryFile() {
    if (fd >= 0)
      close(fd);
    if (!is_renamed)
      unlink(path.c_str());
  }

  // BYTES may be of an image that is no longer whole: the kernel alone reads
  // them, and says so.
  void write(const uint8_t *bytes, size_t size, off_t at = 0) {
    while (size) {
      ssize_t written = pwrite(fd, bytes, size, at);
      if (written < 0 && errno == EINTR)
        continue;
      if (written < 0 && errno == EFAULT)
        fail_changed();
      if (written <= 0)
        fail("cannot write");
      bytes += written;
      size -= written;
      at += written;
    }
  }

  void rename_to(const std::string &destination) {
    if (fsync(fd))
      fail("cannot write");
    if (rename(path.c_str(), destination.c_str()))
      fail("cannot replace " + destination);
    is_renamed = true;
    int parent = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (parent >= 0) {
      fsync(parent); // as far as the file system can
      close(parent);
    }
  }

  int fd;

private:
  std::string directory, path;
  bool is_renamed = false;
};

// Access lists, capabilities, security labels. What a file system will not take
// (or has given to the new file already) is compared, not forced.
void copy_attributes(const std::string &from, int to) {
  ssize_t size = listxattr(from.c_str(), nullptr, 0);
  if (size < 0 && errno == ENOTSUP)
    return;
  std::string names(size < 0 ? 0 : size, '\0');
  if (size < 0 || (size = listxattr(from.c_str(), names.data(), size)) < 0)
    fail("cannot read its extended attributes");
  names.resize(size);
  for (size_t at = 0; at < names.size(); at += strlen(&names[at]) + 1) {
    const char *name = &names[at];
    std::vector<char> value(XATTR_SIZE_MAX), other(XATTR_SIZE_MAX);
    ssize_t length = getxattr(from.c_str(), name, value.data(), value.size());
    if (length < 0)
      fail(std::string("cannot read its extended attribute ") + name);
    if (!fsetxattr(to, name, value.data(), length, 0))
      continue;
    int error = errno;
    ssize_t there = fgetxattr(to, name, other.data(), other.size());
    if (there == length && !memcmp(value.data(), other.data(), length))
      continue;
    errno = error;
    fail(std::string("cannot keep its extended attribute ") + name);
  }
}

// A path that is not a link stays as it is: the directories above need not be
// searchable by everyone who may write here.
std::string resolve(const std::string &path) {
  struct stat status;
  if (!lstat(path.c_str(), &status) && !S_ISLNK(status.st_mode))
    return path;
  char *real = realpath(path.c_str(), nullptr);
  if (!real)
    fail("cannot find where it leads");
  std::string result = real;
  free(real);
  return result;
}

} // namespace

void uplock::replace(const Image &image, Bytes content,
                     const std::vector<Change> &changes,
                     const Replacement &how) {
  const struct stat &old = image.status;
  bool in_place = how.destination.empty();
  std::string destination = in_place ? image.path : how.destination;
  struct stat there;
  if (!stat(destination.c_str(), &there)) {
    // Asked first: /dev/stdout may be a pipe, which leads nowhere.
    if (!S_ISREG(there.st_mode))
      throw Unusable(destination + " is not a regular file (nothing written)");
    destination = resolve(destination);
  }
  if (in_place && old.st_nlink > 1)
    throw Unusable("has " + std::to_string(old.st_nlink) +
                   " names (hard links), which would no longer be one file: "
                   "write to another with -o (nothing written)");

  SignalsHeld held;
  TemporaryFile file(destination);
  // While the kernel writes from pages that are not there yet, it stops and
  // clears the rest of its own at each of them. (Linux 5.14; only faster.)
  madvise(const_cast<uint8_t *>(content.data), content.size,
          MADV_POPULATE_READ);
  file.write(content.data, content.size);
  for (const Change &change : changes)
    file.write(&change.value, 1, change.offset);
  if (in_place) {
    if ((old.st_uid != geteuid() || old.st_gid != getegid()) &&
        fchown(file.fd, old.st_uid, old.st_gid))
      fail("cannot keep its owner");
    copy_attributes(image.path, file.fd);
  }
  mode_t mode = old.st_mode & 07777;
  if (!in_place) {
    mode_t mask = umask(0);
    umask(mask);
    mode &= 0777 & ~mask;
  }
  if (fchmod(file.fd, mode))
    fail("cannot keep its mode");
  if (how.keeps_time) {
    struct timespec times[] = {old.st_atim, old.st_mtim};
    if (futimens(file.fd, times))
      fail("cannot keep its time");
  }
  if (image.has_changed())
    fail_changed();
  file.rename_to(destination);
}
