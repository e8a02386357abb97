package daemon

import (
	"fmt"
	"os"
	"strings"
)

// KilledForMemory is how many processes the kernel has killed for lack of memory since it started, on the whole
// machine or in a group with a limit; 0 where it does not say.
func KilledForMemory() (count int64) {
	statistics, err := os.ReadFile("/proc/vmstat")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(statistics)) {
		if n, _ := fmt.Sscanf(line, "oom_kill %d", &count); n == 1 {
			return count
		}
	}
	return 0
}
