// SPDX-License-Identifier: GPL-3.0-or-later
//
// The first process of a machine: mounts what the runtime looks at, runs each
// program in /programs, in the order of their names, and switches the machine
// off. It is started itself before /proc and /sys are there.
#include <atomic>
#include <cstdio>
#include <dirent.h>
#include <string>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

std::atomic<int> finished;

void run(const char *program) {
  printf("%s\n", program);
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    execl(program, program, nullptr);
    perror(program);
    _exit(127);
  }
  int status = -1;
  waitpid(child, &status, 0);
  printf("wait status %d\n", status);
  finished++;
}

} // namespace

int main() {
  if (mount("proc", "/proc", "proc", 0, nullptr) ||
      mount("sysfs", "/sys", "sysfs", 0, nullptr))
    perror("mount");

  dirent **programs;
  int count = scandir(
      "/programs", &programs,
      [](const dirent *p) { return int{*p->d_name != '.'}; }, alphasort);
  for (int i = 0; i < count; i++)
    run((std::string("/programs/") + programs[i]->d_name).c_str());

  printf("%d programs finished\n", finished.load());
  fflush(stdout);
  reboot(RB_POWER_OFF);
}
