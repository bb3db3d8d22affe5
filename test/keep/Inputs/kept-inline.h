__attribute__((uplock_keep)) static inline int kept_in_header(int *p) {
  return __atomic_fetch_xor(p, 7, 5);
}
