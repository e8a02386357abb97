package work

import (
	"sync"

	"sizeup/gokit/protocol"
)

const (
	sharing = "sharing"
	own     = "own"
)

// Sharing is the range of the parameter "sharing", by which a table chooses whether threads share
// their state: "shared" gives all threads of a launch one, as a server's threads have it, and "own"
// each thread one of its own. Shared follows it.
func Sharing() protocol.Range { return protocol.OneOf("shared", own) }

// Shared returns what gives a thread of a job its state, for Instantiate: all threads get the one
// that the first to ask makes while the others wait, or the reason why there is none. With the
// parameter "sharing" as "own", each thread makes one.
func Shared[T any](job *Job, make func() (T, error)) func() (T, error) {
	if job.Has(sharing) && job.Text(sharing) == own {
		return make
	}
	return sync.OnceValues(make)
}
