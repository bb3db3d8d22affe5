package counter

import "sync/atomic"

var total int32

func Add(n int32) int32 { return atomic.AddInt32(&total, n) }

func Swap(old, n int32) bool {
	return atomic.CompareAndSwapInt32(&total, old, n)
}
