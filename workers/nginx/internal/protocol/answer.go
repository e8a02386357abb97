package protocol

import (
	"bytes"
	"encoding/json"
	"io"

	"sizeup/worker-nginx/internal/cpu"
)

// The answers, as the protocol page defines them. Times are nanoseconds, sizes
// bytes; start and end are values of CLOCK_MONOTONIC.

// Build says what a worker is made of.
type Build struct {
	Version   string            `json:"version"`
	Compiler  string            `json:"compiler"`
	Flags     string            `json:"flags"`
	Target    string            `json:"target"`
	Libraries map[string]string `json:"libraries"`
	Paths     map[string]string `json:"paths"`
}

// ListAnswer is the receipt.
type ListAnswer struct {
	Answer    string   `json:"answer"`
	Protocol  int      `json:"protocol"`
	Worker    string   `json:"worker"`
	Build     Build    `json:"build"`
	Workloads []string `json:"workloads"`
}

// ReadyAnswer follows prepare.
type ReadyAnswer struct {
	Answer        string      `json:"answer"`
	Protocol      int         `json:"protocol"`
	Worker        string      `json:"worker"`
	Build         Build       `json:"build"`
	BytesPerOp    *int64      `json:"bytes_per_op"` // null where bytes make no sense
	BatchOps      int64       `json:"batch_ops"`
	ClockCostNS   int64       `json:"clock_cost_ns"`
	ResidentBytes int64       `json:"resident_bytes"`
	Verified      string      `json:"verified"`
	OutputSHA256  *string     `json:"output_sha256"` // null where ops make different outputs
	Pulse         cpu.Kernels `json:"pulse"`
	FixedRate     *int64      `json:"fixed_rate_per_s,omitempty"` // requests that become due, where that is fixed
	Parts         []Part      `json:"parts"`
}

// Part is processes that do one side of the work, and their CPUs; the first one
// is what is measured.
type Part struct {
	Name string `json:"name"`
	CPUs []int  `json:"cpus"` // none where it runs on another machine
}

// WindowAnswer follows measure.
type WindowAnswer struct {
	Answer           string         `json:"answer"`
	StartNS          int64          `json:"start_ns"`
	EndNS            int64          `json:"end_ns"`
	ProcessCPUNS     int64          `json:"process_cpu_ns"`
	ProcessElapsedNS int64          `json:"process_elapsed_ns"`
	Threads          []ThreadWindow `json:"threads"`
	Parts            []PartWindow   `json:"parts"`
	DueOps           *int64         `json:"due_ops,omitempty"` // at a fixed rate: what was due
	Latency          [][2]int64     `json:"latency,omitempty"` // lower end of a bucket in ns, count
}

// ThreadWindow is a CPU's part of a window. What other processes did there can
// not be told by thread: those fields stay null.
type ThreadWindow struct {
	CPU                 int       `json:"cpu"`
	Ops                 int64     `json:"ops"`
	ElapsedNS           int64     `json:"elapsed_ns"`
	CPUNS               *int64    `json:"cpu_ns"`
	MinorFaults         *int64    `json:"minor_faults"`
	MajorFaults         *int64    `json:"major_faults"`
	VoluntarySwitches   *int64    `json:"voluntary_switches"`
	InvoluntarySwitches *int64    `json:"involuntary_switches"`
	PulseBefore         cpu.Pulse `json:"pulse_before"`
	PulseAfter          cpu.Pulse `json:"pulse_after"`
}

// PartWindow is the CPU time of a part's processes in a window.
type PartWindow struct {
	CPUCount  int   `json:"cpu_count"`
	CPUNS     int64 `json:"cpu_ns"`
	ElapsedNS int64 `json:"elapsed_ns"`
}

// DoneAnswer follows finish.
type DoneAnswer struct {
	Answer   string `json:"answer"`
	Verified string `json:"verified"`
	Windows  int64  `json:"windows"`
	Ops      int64  `json:"ops"`
}

// ErrorAnswer ends a launch.
type ErrorAnswer struct {
	Answer  string `json:"answer"`
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

// WriteAnswer writes one answer as one line, in one write.
func WriteAnswer(out io.Writer, answer any) error {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false) // people read these lines too
	if err := encoder.Encode(answer); err != nil {
		return Faultf(KindInternal, "encoding the answer: %v", err)
	}
	if length := line.Len(); length > MaxLine {
		return Faultf(KindInternal, "the answer has %d bytes, a line may have %d", length, MaxLine)
	}
	_, err := out.Write(line.Bytes())
	return err
}
