#include <atomic>
extern std::atomic<int> cell;
inline int twice() { return cell += 2; }
