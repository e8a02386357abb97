package work

import "sizeup/gokit/protocol"

// SampleAnswer follows measure. Times are nanoseconds; start and end are values of CLOCK_MONOTONIC.
type SampleAnswer struct {
	Answer           string         `json:"answer"`
	StartNS          int64          `json:"start_ns"`
	EndNS            int64          `json:"end_ns"`
	ProcessCPUNS     int64          `json:"process_cpu_ns"`
	ProcessElapsedNS int64          `json:"process_elapsed_ns"`
	Threads          []ThreadSample `json:"threads"`
}

// ThreadSample is one thread's part of a sample.
type ThreadSample struct {
	CPU                 int            `json:"cpu"`
	Ops                 int64          `json:"ops"`
	ElapsedNS           int64          `json:"elapsed_ns"`
	CPUNS               int64          `json:"cpu_ns"`
	CPUElapsedNS        int64          `json:"cpu_elapsed_ns"`
	SystemNS            *int64         `json:"system_ns,omitempty"` // where the work stays on the thread
	MinorFaults         int64          `json:"minor_faults"`
	MajorFaults         int64          `json:"major_faults"`
	VoluntarySwitches   int64          `json:"voluntary_switches"`
	InvoluntarySwitches int64          `json:"involuntary_switches"`
	PulseBefore         protocol.Pulse `json:"pulse_before"`
	PulseAfter          protocol.Pulse `json:"pulse_after"`
	ChainsNS            []int64        `json:"chains_ns"`
	// The memory pulses are left out where there was no room for what they read.
	MemoryBefore *protocol.MemoryPulse `json:"memory_before,omitempty"`
	MemoryAfter  *protocol.MemoryPulse `json:"memory_after,omitempty"`
	Counters     [][]int64             `json:"counters,omitempty"` // of each group
}

// used sets the CPU time and counters that a thread used between two readings.
func (w *ThreadSample) used(before, after usage) {
	w.CPUNS = after.cpuNS - before.cpuNS
	w.CPUElapsedNS = after.readNS - before.readNS
	w.MinorFaults = after.minorFaults - before.minorFaults
	w.MajorFaults = after.majorFaults - before.majorFaults
	w.VoluntarySwitches = after.voluntarySwitches - before.voluntarySwitches
	w.InvoluntarySwitches = after.involuntarySwitches - before.involuntarySwitches
}
