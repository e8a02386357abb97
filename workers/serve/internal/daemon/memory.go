package daemon

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// OutOfMemory is how many processes of a control group the kernel has killed for lack of memory.
type OutOfMemory struct {
	group string
	count int64
}

// KilledForMemory counts them in the group of this process, which is that of its servers; none where the kernel does
// not say.
func KilledForMemory() OutOfMemory {
	groups, err := os.ReadFile("/proc/self/cgroup")
	if err != nil {
		return OutOfMemory{}
	}
	for line := range strings.Lines(string(groups)) {
		fields := strings.SplitN(strings.TrimSpace(line), ":", 3)
		if len(fields) != 3 {
			continue
		}
		var hierarchy, file string
		switch fields[1] {
		case "memory":
			hierarchy, file = "memory", "memory.oom_control"
		case "":
			file = "memory.events"
		default:
			continue
		}
		// In a container the group may be the root of what is mounted.
		for _, group := range []string{fields[2], "/"} {
			path := filepath.Join("/sys/fs/cgroup", hierarchy, group, file)
			statistics, err := os.ReadFile(path)
			if err != nil {
				continue // the other version has it, or none
			}
			for line := range strings.Lines(string(statistics)) {
				killed := OutOfMemory{group: path}
				if n, _ := fmt.Sscanf(line, "oom_kill %d", &killed.count); n == 1 {
					return killed
				}
			}
		}
	}
	return OutOfMemory{}
}

// IsMoreThan reports whether the kernel has killed one since.
func (o OutOfMemory) IsMoreThan(before OutOfMemory) bool {
	return o.count > 0 && o != before
}
