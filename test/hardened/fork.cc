// SPDX-License-Identifier: GPL-3.0-or-later
//
// A child has its parent's mode, and switches for itself alone. vfork, posix_spawn
// and exec are unharmed; what is executed decides anew.
// RUN: %cxx -O2 %s %uplock-flags -o %t
// RUN: env UPLOCK=up taskset -c 0 %t | FileCheck %s
#include <uplock-process.h>
#include <cstdio>
#include <cstdlib>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

static int count;

static void show(const char *who, const uplock_status &status) {
  __atomic_fetch_add(&count, 1, __ATOMIC_SEQ_CST);
  printf("%s: %s (%s), %zu changed, %zu already, count %d\n", who,
         status.mode ? "UP" : "SMP", status.reason, status.counts.changed,
         status.counts.already, count);
  fflush(stdout);
}

static void wait_for(pid_t pid) {
  int status;
  if (waitpid(pid, &status, 0) != pid || status)
    printf("child's status: %#x\n", status);
}

int main(int argc, char **arguments) {
  if (argc > 1) {
    show(arguments[1], uplock_process_status());
    return 0;
  }
  show("parent", uplock_process_status());

  pid_t pid = fork();
  if (!pid) {
    show("child", uplock_process_status());
    show("child", uplock_process_switch(UPLOCK_SMP));
    show("child", uplock_process_switch(UPLOCK_UP));
    show("child", uplock_process_switch(UPLOCK_SMP));
    pid = fork();
    if (!pid) {
      show("grandchild", uplock_process_switch(UPLOCK_UP));
      _exit(0);
    }
    wait_for(pid);
    _exit(0);
  }
  wait_for(pid);
  show("parent", uplock_process_status());
  show("parent", uplock_process_switch(UPLOCK_SMP));

  setenv("UPLOCK", "smp", 1);
  char *self = arguments[0];
  char vforked[] = "vforked", spawned[] = "spawned";
  pid = vfork();
  if (!pid) {
    execl(self, self, vforked, nullptr);
    _exit(1);
  }
  wait_for(pid);
  char *spawn_arguments[] = {self, spawned, nullptr};
  setenv("UPLOCK", "up", 1);
  posix_spawn(&pid, self, nullptr, nullptr, spawn_arguments, environ);
  wait_for(pid);
  show("parent", uplock_process_switch(UPLOCK_UP));
  execl(self, self, "executed", nullptr);
}

// CHECK:      parent: UP (UPLOCK=up), 1 changed, 0 already, count 1
// CHECK-NEXT: child: UP (UPLOCK=up), 1 changed, 0 already, count 2
// CHECK-NEXT: child: SMP (uplock_process_switch), 1 changed, 0 already, count 3
// CHECK-NEXT: child: UP (uplock_process_switch), 1 changed, 0 already, count 4
// CHECK-NEXT: child: SMP (uplock_process_switch), 1 changed, 0 already, count 5
// CHECK-NEXT: grandchild: UP (uplock_process_switch), 1 changed, 0 already, count 6
// CHECK-NEXT: parent: UP (UPLOCK=up), 1 changed, 0 already, count 2
// CHECK-NEXT: parent: SMP (uplock_process_switch), 1 changed, 0 already, count 3
// CHECK-NEXT: vforked: SMP (UPLOCK=smp), 0 changed, 0 already, count 1
// CHECK-NEXT: spawned: UP (UPLOCK=up), 1 changed, 0 already, count 1
// CHECK-NEXT: parent: UP (uplock_process_switch), 1 changed, 0 already, count 4
// CHECK-NEXT: executed: UP (UPLOCK=up), 1 changed, 0 already, count 1
