// SPDX-License-Identifier: GPL-3.0-or-later
#include <atomic>

std::atomic<int> total;
void add(int n) { total += n; }
extern std::atomic<long> calls;
void call(int n);

int main() {
  for (int i = 0; i < 3; i++)
    call(i);
  return total != 3 || calls != 3;
}
