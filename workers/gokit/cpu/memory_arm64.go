package cpu

// flushLines removes lines from all caches, to the point where every observer sees the memory.
//
//go:noescape
func flushLines(at uintptr, lines int64)
