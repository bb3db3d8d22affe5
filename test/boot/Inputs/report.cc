// SPDX-License-Identifier: GPL-3.0-or-later
//
// Asks the module of examples/linux-module for its report: as the machine is,
// with the second CPU switched on if there is one that is off, and without it
// again. Prints what Linux has to say of it.
#include <cstdio>
#include <cstring>
#include <string>
#include <sys/klog.h>

namespace {

constexpr char report_file[] = "/sys/module/uplock_atomics/parameters/report";
constexpr char online_file[] = "/sys/devices/system/cpu/cpu1/online";
constexpr int klog_read_all = 3; // syslog(2)

std::string contents(const char *path) {
  char text[4096];
  FILE *file = fopen(path, "r");
  if (!file) {
    perror(path);
    return "";
  }
  size_t length = fread(text, 1, sizeof text, file);
  fclose(file);
  return std::string(text, length);
}

void switch_second_cpu(const char *on) {
  FILE *file = fopen(online_file, "w");
  if (!file || fputs(on, file) < 0 || fclose(file) != 0)
    perror(online_file);
  printf("second CPU: %s\n", on);
}

// Each line of the kernel's log with one of these words.
void print_log() {
  static char log[1 << 20];
  int length = klogctl(klog_read_all, log, sizeof log - 1);
  if (length < 0)
    return perror("klogctl");
  for (char *line = strtok(log, "\n"); line; line = strtok(nullptr, "\n"))
    for (const char *word : {"SMP alternatives", "uplock", "WARNING", "BUG"})
      if (strstr(line, word)) {
        puts(line);
        break;
      }
}

} // namespace

int main() {
  std::string report = contents(report_file);
#ifdef UNTIL_LOST
  // Without locks, too, the two CPUs have to come upon each other.
  for (int i = 0; i < 30; i++)
    if (report.find("lost: builtin 0, linux 0, small 0,") != report.npos)
      report = contents(report_file);
#endif
  fputs(report.c_str(), stdout);
  if (FILE *file = fopen(online_file, "r")) {
    bool is_off = fgetc(file) == '0';
    fclose(file);
    if (is_off) {
      switch_second_cpu("1");
      fputs(contents(report_file).c_str(), stdout);
      switch_second_cpu("0");
      fputs(contents(report_file).c_str(), stdout);
    }
  }
  print_log();
}
