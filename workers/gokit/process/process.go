// Package process reports resources and modules of processes.
package process

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
	"sync"
)

// ResidentBytes is the resident memory of a process, by number or "self".
func ResidentBytes(process string) (int64, error) {
	content, err := os.ReadFile("/proc/" + process + "/statm")
	if err != nil {
		return 0, err
	}
	fields := bytes.Fields(content)
	const residentField = 1
	if len(fields) <= residentField {
		return 0, fmt.Errorf("/proc/%s/statm: %q", process, content)
	}
	pages, err := strconv.ParseInt(string(fields[residentField]), 10, 64)
	return pages * int64(os.Getpagesize()), err
}

// BuildInfo is what the program was built from, parsed once: each parse leaves a lot to the collector.
var BuildInfo = sync.OnceValues(debug.ReadBuildInfo)

// ModuleVersion is the version of a module as it was linked into this program; empty if unknown.
func ModuleVersion(path string) string {
	info, ok := BuildInfo()
	if !ok {
		return ""
	}
	for _, module := range info.Deps {
		// A replaced module does not have the version that its path states.
		if module.Path == path && module.Replace == nil {
			return module.Version
		}
	}
	return ""
}
