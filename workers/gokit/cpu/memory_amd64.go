package cpu

// hasWeakFlush tells whether the CPU can flush lines without waiting for each: many times faster on
// Intel's.
var hasWeakFlush = extendedFeatures()&(1<<23) != 0

// extendedFeatures is EBX of the CPU's features of leaf 7; 0 if it has no such leaf.
//
//go:noescape
func extendedFeatures() uint32

//go:noescape
func flushWeakly(at uintptr, lines int64)

//go:noescape
func flushStrongly(at uintptr, lines int64)

// flushLines removes lines from all caches.
func flushLines(at uintptr, lines int64) {
	if hasWeakFlush {
		flushWeakly(at, lines)
	} else {
		flushStrongly(at, lines)
	}
}
