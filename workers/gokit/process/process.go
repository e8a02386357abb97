// Package process tells what processes have and are made of.
package process

import (
	"bytes"
	"fmt"
	"os"
	"runtime/debug"
	"strconv"
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

// ModuleVersion is that of a module as it was linked into this program; empty if
// it is not known.
func ModuleVersion(path string) string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, module := range info.Deps {
		// A replaced module is not the version that it says.
		if module.Path == path && module.Replace == nil {
			return module.Version
		}
	}
	return ""
}
