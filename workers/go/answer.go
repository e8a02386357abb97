package main

import (
	"bytes"
	"encoding/json"
	"io"
)

// The answers, as the protocol page defines them. Times are nanoseconds, sizes
// bytes; start and end are values of CLOCK_MONOTONIC.

type listAnswer struct {
	Answer    string   `json:"answer"`
	Protocol  int      `json:"protocol"`
	Worker    string   `json:"worker"`
	Build     build    `json:"build"`
	Workloads []string `json:"workloads"`
}

type readyAnswer struct {
	Answer        string       `json:"answer"`
	Protocol      int          `json:"protocol"`
	Worker        string       `json:"worker"`
	Build         build        `json:"build"`
	BytesPerOp    *int64       `json:"bytes_per_op"` // null where bytes make no sense
	BatchOps      int64        `json:"batch_ops"`
	ClockCostNS   int64        `json:"clock_cost_ns"`
	ResidentBytes int64        `json:"resident_bytes"`
	Verified      string       `json:"verified"`
	OutputSHA256  *string      `json:"output_sha256"` // null where ops make different outputs
	Pulse         pulseKernels `json:"pulse"`
}

type windowAnswer struct {
	Answer           string         `json:"answer"`
	StartNS          int64          `json:"start_ns"`
	EndNS            int64          `json:"end_ns"`
	ProcessCPUNS     int64          `json:"process_cpu_ns"`
	ProcessElapsedNS int64          `json:"process_elapsed_ns"`
	Threads          []threadWindow `json:"threads"`
}

// threadWindow is one thread's part of a window.
type threadWindow struct {
	CPU                 int   `json:"cpu"`
	Ops                 int64 `json:"ops"`
	ElapsedNS           int64 `json:"elapsed_ns"`
	CPUNS               int64 `json:"cpu_ns"`
	MinorFaults         int64 `json:"minor_faults"`
	MajorFaults         int64 `json:"major_faults"`
	VoluntarySwitches   int64 `json:"voluntary_switches"`
	InvoluntarySwitches int64 `json:"involuntary_switches"`
	PulseBefore         pulse `json:"pulse_before"`
	PulseAfter          pulse `json:"pulse_after"`
}

type doneAnswer struct {
	Answer   string `json:"answer"`
	Verified string `json:"verified"`
	Windows  int64  `json:"windows"`
	Ops      int64  `json:"ops"`
}

type errorAnswer struct {
	Answer  string `json:"answer"`
	Kind    string `json:"kind"`
	Message string `json:"message"`
	Hint    string `json:"hint"`
}

// writeAnswer writes one answer as one line, in one write.
func writeAnswer(out io.Writer, answer any) error {
	var line bytes.Buffer
	encoder := json.NewEncoder(&line)
	encoder.SetEscapeHTML(false) // people read these lines too
	if err := encoder.Encode(answer); err != nil {
		return faultf(kindInternal, "encoding the answer: %v", err)
	}
	if length := line.Len(); length > maxLine {
		return faultf(kindInternal, "the answer has %d bytes, a line may have %d", length, maxLine).
			advise("use fewer threads")
	}
	_, err := out.Write(line.Bytes())
	return err
}
