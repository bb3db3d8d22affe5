// SPDX-License-Identifier: GPL-3.0-or-later
namespace ns {
int counter;
void first() { __atomic_fetch_add(&counter, 1, 5); }
void second() { __atomic_fetch_add(&counter, 1, 5); }
} // namespace ns
int main() {
  ns::first();
  ns::second();
  return ns::counter - 2;
}
