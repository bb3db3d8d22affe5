int add(int *p) { return __atomic_fetch_add(p, 1, 5); }
