// SPDX-License-Identifier: MIT
//
// The few system calls that the hosted part makes, without libc: errno is the
// program's, and a libc may itself be in the table that is being patched. Each
// returns what the kernel does: an error is a small negative number.

#ifndef UPLOCK_SYSTEM_CALL_H
#define UPLOCK_SYSTEM_CALL_H

#include <asm/unistd.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

namespace uplock {

#ifdef __x86_64__
inline long system_call(long number, long a = 0, long b = 0, long c = 0,
                        long d = 0) {
  register long r10 asm("r10") = d;
  long result;
  asm volatile("syscall"
               : "=a"(result)
               : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10)
               : "rcx", "r11", "memory");
  return result;
}
#else
inline long system_call(long number, long a = 0, long b = 0, long c = 0,
                        long d = 0, long e = 0) {
  long result;
  asm volatile("int $0x80"
               : "=a"(result)
               : "a"(number), "b"(a), "c"(b), "d"(c), "S"(d), "D"(e)
               : "memory");
  return result;
}
#endif

inline long as_argument(const void *pointer) {
  return static_cast<long>(reinterpret_cast<uintptr_t>(pointer));
}

// As libc does it: a policy may know nothing of open(2) any more, and kill.
inline int open_file(const char *path, int flags) {
  return static_cast<int>(
      system_call(__NR_openat, AT_FDCWD, as_argument(path), flags));
}

inline void close_file(int fd) { system_call(__NR_close, fd); }

inline long read_file(int fd, void *buffer, size_t size) {
  return system_call(__NR_read, fd, as_argument(buffer), size);
}

inline long write_file(int fd, const void *buffer, size_t size) {
  return system_call(__NR_write, fd, as_argument(buffer), size);
}

inline long read_file_at(int fd, void *buffer, size_t size, uint64_t offset) {
#ifdef __x86_64__
  return system_call(__NR_pread64, fd, as_argument(buffer), size, offset);
#else
  return system_call(__NR_pread64, fd, as_argument(buffer), size,
                     static_cast<uint32_t>(offset), offset >> 32);
#endif
}

inline long write_file_at(int fd, const void *buffer, size_t size,
                          uint64_t offset) {
#ifdef __x86_64__
  return system_call(__NR_pwrite64, fd, as_argument(buffer), size, offset);
#else
  return system_call(__NR_pwrite64, fd, as_argument(buffer), size,
                     static_cast<uint32_t>(offset), offset >> 32);
#endif
}

inline long get_status(int fd, struct stat64 &status) {
#ifdef __x86_64__
  return system_call(__NR_fstat, fd, as_argument(&status));
#else
  return system_call(__NR_fstat64, fd, as_argument(&status));
#endif
}

inline long protect_memory(void *begin, size_t size, int protection) {
  return system_call(__NR_mprotect, as_argument(begin), size, protection);
}

inline long memory_barrier(int command) {
  return system_call(__NR_membarrier, command);
}

inline uint64_t monotonic_nanoseconds() {
  struct {
    long seconds, nanoseconds;
  } time{};
  system_call(__NR_clock_gettime, 1 /* CLOCK_MONOTONIC */, as_argument(&time));
  return static_cast<uint64_t>(time.seconds) * 1'000'000'000 + time.nanoseconds;
}

} // namespace uplock

#endif
