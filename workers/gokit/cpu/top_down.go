package cpu

import (
	"bufio"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

const devices = "sys/bus/event_source/devices"

// The events of top-down analysis, level 1; the Rust kit's top_down.rs says where they are from.
var (
	intelTopDown = [][2]string{
		{"slots", "slots"},
		{"topdown-retiring", "retiring-slots"},
		{"topdown-bad-spec", "bad-speculation-slots"},
		{"topdown-fe-bound", "frontend-slots"},
		{"topdown-be-bound", "backend-slots"},
	}
	amdTopDown = []event{
		{"frontend-slots", unix.PERF_TYPE_RAW, 1<<32 | 0x01<<8 | 0xa0},
		{"backend-slots", unix.PERF_TYPE_RAW, 1<<32 | 0x1e<<8 | 0xa0},
		{"dispatched-slots", unix.PERF_TYPE_RAW, 0x07<<8 | 0xaa},
		{"retiring-slots", unix.PERF_TYPE_RAW, 0xc1},
	}
	armTopDown = []event{
		{"slot-cycles", unix.PERF_TYPE_RAW, 0x11},
		{"frontend-slots", unix.PERF_TYPE_RAW, 0x3e},
		{"backend-slots", unix.PERF_TYPE_RAW, 0x3d},
		{"dispatched-ops", unix.PERF_TYPE_RAW, 0x3b},
		{"retired-ops", unix.PERF_TYPE_RAW, 0x3a},
	}
)

// topDown returns the events of the machine whose files lie under root, none on a CPU that has none
// that we know; and the slots of a cycle, where the events don't make them up.
func topDown(root string) (events []event, slotsPerCycle uint64) {
	if slots := slotsOfArm(root); slots > 0 {
		return armTopDown, slots
	}
	if events := intelEvents(root); events != nil {
		return events, 0
	}
	if hasAMDTopDown(root) {
		return amdTopDown, 0
	}
	return nil, 0
}

func intelEvents(root string) []event {
	var events []event
	for _, names := range intelTopDown {
		text, err := os.ReadFile(filepath.Join(root, devices, "cpu/events", names[0]))
		if err != nil {
			return nil
		}
		config, ok := rawConfig(string(text))
		if !ok {
			return nil
		}
		events = append(events, event{names[1], unix.PERF_TYPE_RAW, config})
	}
	return events
}

// rawConfig reads "event=0x00,umask=0x80".
func rawConfig(text string) (config uint64, ok bool) {
	for _, part := range strings.Split(strings.TrimSpace(text), ",") {
		key, value, found := strings.Cut(part, "=0x")
		number, err := strconv.ParseUint(value, 16, 8)
		switch {
		case !found || err != nil:
			return 0, false
		case key == "event":
			config |= number
		case key == "umask":
			config |= number << 8
		default:
			return 0, false
		}
	}
	return config, true
}

// hasAMDTopDown tells whether the first CPU is a Zen 4 (family 25, models 10h, 60h, 70h and A0h) or a
// Zen 5 (family 26).
func hasAMDTopDown(root string) bool {
	file, err := os.Open(filepath.Join(root, "proc/cpuinfo"))
	if err != nil {
		return false
	}
	defer func() { _ = file.Close() }()
	fields := map[string]string{}
	for lines := bufio.NewScanner(file); lines.Scan() && lines.Text() != ""; {
		key, value, _ := strings.Cut(lines.Text(), ":")
		fields[strings.TrimSpace(key)] = strings.TrimSpace(value)
	}
	if fields["vendor_id"] != "AuthenticAMD" {
		return false
	}
	model, err := strconv.Atoi(fields["model"])
	if err != nil {
		return false
	}
	switch fields["cpu family"] {
	case "25":
		return slices.Contains([]int{0x1, 0x6, 0x7, 0xa}, model>>4)
	case "26":
		return true
	default:
		return false
	}
}

func slotsOfArm(root string) uint64 {
	text, err := os.ReadFile(filepath.Join(root, devices, "armv8_pmuv3_0/caps/slots"))
	if err != nil {
		return 0
	}
	slots, err := strconv.ParseUint(strings.TrimSpace(string(text)), 0, 64)
	if err != nil || slots > 64 {
		return 0
	}
	return slots
}
