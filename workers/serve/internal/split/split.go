// Package split divides CPUs between a server and its client.
package split

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"sizeup/gokit/cpu"
)

// CPUs divides the CPUs: a percentage, rounded, for the server, and at least one for each side.
// CPUs of a core stay together where there are several cores, because a client on a server's
// siblings would slow what is measured. On a single CPU both sides share it.
func CPUs(cpus []int, serverPercent int64) (server, client []int) {
	return divide(coresOf(cpus), serverPercent)
}

func divide(cores [][]int, serverPercent int64) (server, client []int) {
	if len(cores) == 1 { // a single core: its siblings are divided
		cores = singles(cores[0])
	}
	if len(cores) == 1 {
		return cores[0], cores[0]
	}
	all := len(slices.Concat(cores...))
	wanted := (int64(all)*serverPercent + 50) / 100
	server = slices.Clone(cores[0])
	cores = cores[1:]
	for len(cores) > 1 && int64(len(server)+len(cores[0])) <= wanted {
		server = append(server, cores[0]...)
		cores = cores[1:]
	}
	return server, slices.Concat(cores...)
}

// coresOf groups CPUs by their core, in the order of the first CPU of each; duplicates count once.
func coresOf(cpus []int) [][]int {
	var cores [][]int
	placed := map[int]bool{}
	for _, cpu := range cpus {
		if placed[cpu] {
			continue
		}
		siblings := siblingsOf(cpu)
		var core []int
		for _, other := range cpus {
			if !placed[other] && (other == cpu || slices.Contains(siblings, other)) {
				placed[other] = true
				core = append(core, other)
			}
		}
		cores = append(cores, core)
	}
	return cores
}

func singles(cpus []int) [][]int {
	cores := make([][]int, len(cpus))
	for i, cpu := range cpus {
		cores[i] = []int{cpu}
	}
	return cores
}

// siblingsOf returns the kernel's list of siblings; none if the kernel has none.
func siblingsOf(cpu int) []int {
	list, err := os.ReadFile(fmt.Sprintf("/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", cpu))
	if err != nil {
		return nil
	}
	return parseList(string(list))
}

// parseList parses a list such as "0-3,8"; anything that is not a number is left out.
func parseList(text string) []int {
	var cpus []int
	for part := range strings.SplitSeq(strings.TrimSpace(text), ",") {
		first, last, isRange := strings.Cut(part, "-")
		low, err := strconv.Atoi(first)
		if err != nil {
			continue
		}
		high := low
		if isRange {
			if high, err = strconv.Atoi(last); err != nil {
				continue
			}
		}
		for number := low; number <= high && number <= cpu.MaxCPU; number++ {
			cpus = append(cpus, number)
		}
	}
	return cpus
}
