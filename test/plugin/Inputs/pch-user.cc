std::atomic<int> cell;
int once() { return ++cell + twice(); }
