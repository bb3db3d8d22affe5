// SPDX-License-Identifier: GPL-3.0-or-later
int patched(int *p) {
  __atomic_fetch_add(p, 1, 5);
  return p[4];
}
[[uplock::keep]] int kept(int *p) {
  __atomic_fetch_add(p, 1, 5);
  return p[4];
}
int plain(int *p) { return p[4] + 20; }
int plain_again(int *p) { return p[4] + 20; }

int main() {
  int array[5] = {0, 0, 0, 0, 7};
  return patched(array) + kept(array) + plain(array) + plain_again(array) -
         array[0] != 66;
}
