import core.atomic;

shared int total;

void add(int n) { atomicOp!"+="(total, n); }
bool swap(int old, int n) { return cas(&total, old, n); }
void set(int n) { atomicStore(total, n); }
