// SPDX-License-Identifier: GPL-3.0-or-later
extern int n;
int kept(int *);
int kept_exchange(int *, int);
int kept_twin(int *);

__attribute__((noinline)) int patched_twin(int *p) {
  __atomic_fetch_add(p, 1, 5);
  __atomic_fetch_sub(p, 2, 5);
  return *p;
}

__attribute__((noinline)) int patched(int *p) {
  __atomic_fetch_add(p, 1, 5);
  return kept(p) + kept_exchange(p, 3) + kept_twin(p) + patched_twin(p);
}

int main(void) { return patched(&n) == 0; }
