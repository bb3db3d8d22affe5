// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs a command under restrictions.
// usage: restrict RULE... -- COMMAND...
//
// kill-wx       the process is killed when it makes memory writable and
//               executable, or writable memory executable
// kill-mprotect the same for any mprotect that has to do with executable memory
// systemd-mdwx  systemd's MemoryDenyWriteExecute=yes, by the filter that it
//               installs (seccomp-util.c, seccomp_memory_deny_write_execute)
// mdwe          prctl(PR_SET_MDWE)
// kill-open     the process is killed when it opens a file by open(2)
// no-pwrite     writing through /proc/self/mem is refused
// no-files=N    RLIMIT_NOFILE is N; done last, with all that can be closed closed
// no-memory     RLIMIT_AS is what the command needs and no more: tries limits
//               from below until the command exits with 0 (SIGSEGV and 127 are
//               the loader's way to say that it is too little)
// close=N       descriptor N is closed, if it is open
// uid=N         setresuid, setresgid
#define _GNU_SOURCE
#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#ifndef PR_SET_MDWE
#define PR_SET_MDWE 65
#define PR_MDWE_REFUSE_EXEC_GAIN 1
#endif

// If system call NUMBER has all BITS in ARGUMENT, the answer is ACTION.
static int answer(int number, int argument, unsigned bits, unsigned action) {
  struct sock_filter filter[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, number, 0, 4),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
               offsetof(struct seccomp_data, args[0]) + 8 * argument),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, bits),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, bits, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, action),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static const unsigned kill_it = SECCOMP_RET_KILL_PROCESS;
static const unsigned refuse = SECCOMP_RET_ERRNO | EPERM;
static const int wx = PROT_WRITE | PROT_EXEC;

static int restrict_memory(unsigned action, int mprotect_bits) {
  return answer(SYS_mmap, 2, wx, action) ||
         answer(SYS_mprotect, 2, mprotect_bits, action) ||
         answer(SYS_pkey_mprotect, 2, mprotect_bits, action) ||
         answer(SYS_shmat, 2, SHM_EXEC, action);
}

static int is(const char *rule, const char *name) {
  return !strcmp(rule, name);
}

static int number_of(const char *rule, const char *name) {
  size_t size = strlen(name);
  return strncmp(rule, name, size) ? -1 : atoi(rule + size);
}

static int files = -1, memory;

static int apply(const char *rule) {
  if (is(rule, "kill-wx"))
    return restrict_memory(kill_it, wx);
  if (is(rule, "kill-mprotect"))
    return restrict_memory(kill_it, PROT_EXEC);
  if (is(rule, "systemd-mdwx"))
    return restrict_memory(refuse, PROT_EXEC);
  if (is(rule, "mdwe"))
    return prctl(PR_SET_MDWE, PR_MDWE_REFUSE_EXEC_GAIN, 0, 0, 0);
  if (is(rule, "kill-open"))
    return answer(SYS_open, 0, 0, kill_it);
  if (is(rule, "no-pwrite"))
    return answer(SYS_pwrite64, 0, 0, refuse);
  if (is(rule, "no-memory"))
    return !(memory = 1);
  int number;
  if ((number = number_of(rule, "no-files=")) >= 0)
    return (files = number) < 0;
  if ((number = number_of(rule, "close=")) >= 0)
    return close(number) && errno != EBADF;
  if ((number = number_of(rule, "uid=")) >= 0)
    return setresgid(number, number, number) ||
           setresuid(number, number, number);
  errno = EINVAL;
  return 1;
}

static void limit(int what, rlim_t value) {
  struct rlimit both = {value, value};
  setrlimit(what, &both);
}

static int with_least_memory(char **command) {
  for (rlim_t size = 64 << 10;; size += 16 << 10) {
    int status;
    pid_t pid = fork();
    if (!pid) {
      limit(RLIMIT_CORE, 0);
      limit(RLIMIT_AS, size);
      execv(command[0], command);
      _exit(127);
    }
    waitpid(pid, &status, 0);
    if (!status || size > (rlim_t)1 << 30)
      return !!status;
  }
}

int main(int argc, char **argv) {
  char **rule = argv + 1;
  for (; rule < argv + argc && !is(*rule, "--"); rule++)
    if (apply(*rule)) {
      perror(*rule);
      return 2;
    }
  if (rule + 1 >= argv + argc)
    return 2;
  if (memory)
    return with_least_memory(rule + 1);
  if (files >= 0)
    limit(RLIMIT_NOFILE, files);
  execv(rule[1], rule + 1);
  perror(rule[1]);
  return 2;
}
