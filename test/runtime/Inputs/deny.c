// SPDX-License-Identifier: GPL-3.0-or-later
//
// Runs a command under a seccomp filter that denies what patching needs.
// usage: deny pwrite|both COMMAND...
// pwrite: no writing through /proc/self/mem; both: no mprotect to writable and
// executable either, like systemd's MemoryDenyWriteExecute.
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define LOAD(field)                                                           \
  BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define DENY BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES)
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

static int install_filter(int both) {
  struct sock_filter filter[] = {
      LOAD(nr),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_pwrite64, 0, 1),
      DENY,
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, both ? SYS_mprotect : -1u, 1, 0),
      ALLOW,
      LOAD(args[2]),
      BPF_STMT(BPF_ALU | BPF_AND | BPF_K, PROT_WRITE | PROT_EXEC),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, PROT_WRITE | PROT_EXEC, 0, 1),
      DENY,
      ALLOW,
  };
  struct sock_fprog program = {sizeof filter / sizeof *filter, filter};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) ||
         prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

int main(int argc, char **argv) {
  if (argc < 3 || install_filter(!strcmp(argv[1], "both"))) {
    perror("deny");
    return 2;
  }
  execvp(argv[2], argv + 2);
  perror(argv[2]);
  return 2;
}
