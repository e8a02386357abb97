package main

import "sizeup/gokit/protocol"

// readyAnswer follows prepare.
type readyAnswer struct {
	protocol.ReadyAnswer
	FixedRate *int64 `json:"fixed_rate_per_s,omitempty"` // requests that become due, where that is fixed
	Parts     []part `json:"parts"`
}

// part is the processes of one side of the work, and their CPUs; the first part is the one that is
// measured.
type part struct {
	Name string `json:"name"`
	CPUs []int  `json:"cpus"` // none where it runs on another machine
}

// sampleAnswer follows measure. Times are nanoseconds; start and end are values of CLOCK_MONOTONIC.
type sampleAnswer struct {
	Answer           string         `json:"answer"`
	StartNS          int64          `json:"start_ns"`
	EndNS            int64          `json:"end_ns"`
	ProcessCPUNS     int64          `json:"process_cpu_ns"`
	ProcessElapsedNS int64          `json:"process_elapsed_ns"`
	Threads          []threadSample `json:"threads"`
	Parts            []partSample   `json:"parts"`
	DueOps           *int64         `json:"due_ops,omitempty"` // at a fixed rate: requests that were due
	Latency          [][2]int64     `json:"latency,omitempty"` // lower end of a bucket in ns, count
}

// threadSample is a CPU's part of a sample. The CPU time and counters of other processes are not
// known by thread: those fields stay null.
type threadSample struct {
	CPU                 int            `json:"cpu"`
	Ops                 int64          `json:"ops"`
	ElapsedNS           int64          `json:"elapsed_ns"`
	CPUNS               *int64         `json:"cpu_ns"`
	CPUElapsedNS        *int64         `json:"cpu_elapsed_ns"`
	MinorFaults         *int64         `json:"minor_faults"`
	MajorFaults         *int64         `json:"major_faults"`
	VoluntarySwitches   *int64         `json:"voluntary_switches"`
	InvoluntarySwitches *int64         `json:"involuntary_switches"`
	PulseBefore         protocol.Pulse `json:"pulse_before"`
	PulseAfter          protocol.Pulse `json:"pulse_after"`
}

// partSample is the CPU time of a part's processes in a sample.
type partSample struct {
	CPUCount  int   `json:"cpu_count"`
	CPUNS     int64 `json:"cpu_ns"`
	ElapsedNS int64 `json:"elapsed_ns"`
}
