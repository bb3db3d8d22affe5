// SPDX-License-Identifier: GPL-3.0-or-later
//
// The first process of a machine: mounts what the runtime looks at, loads the
// kernel modules (.ko) in /programs, then runs the programs there, in the order
// of their names, and switches the machine off. It is started itself before
// /proc and /sys are there.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <dirent.h>
#include <fcntl.h>
#include <string>
#include <sys/mount.h>
#include <sys/reboot.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace {

std::atomic<int> finished;

void run(const std::string &program) {
  printf("%s\n", program.c_str());
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    execl(program.c_str(), program.c_str(), nullptr);
    perror(program.c_str());
    _exit(127);
  }
  int status = -1;
  waitpid(child, &status, 0);
  printf("wait status %d\n", status);
  finished++;
}

// As modprobe does.
void load(const std::string &module) {
  int file = open(module.c_str(), O_RDONLY | O_CLOEXEC);
  if (syscall(SYS_finit_module, file, "", 0))
    perror(module.c_str());
  else
    printf("%s loaded\n", module.c_str());
  fflush(stdout);
  close(file);
}

bool is_module(const std::string &name) {
  return name.size() > 3 && name.substr(name.size() - 3) == ".ko";
}

} // namespace

int main() {
  if (mount("proc", "/proc", "proc", 0, nullptr) ||
      mount("sysfs", "/sys", "sysfs", 0, nullptr))
    perror("mount");

  dirent **entries;
  int count = scandir(
      "/programs", &entries,
      [](const dirent *entry) { return int{*entry->d_name != '.'}; },
      alphasort);
  std::vector<std::string> paths;
  for (int i = 0; i < count; i++)
    paths.push_back(std::string("/programs/") + entries[i]->d_name);
  auto programs = std::stable_partition(paths.begin(), paths.end(), is_module);
  std::for_each(paths.begin(), programs, load);
  std::for_each(programs, paths.end(), run);

  printf("%d programs finished\n", finished.load());
  fflush(stdout);
  reboot(RB_POWER_OFF);
}
