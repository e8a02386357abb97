package protocol

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
)

// The answers, as docs/protocol.md defines them, except for the sample, whose fields depend on who
// does the work. Times are nanoseconds, sizes bytes.

// Build describes what a worker was built from.
type Build struct {
	Version   string            `json:"version"`
	Compiler  string            `json:"compiler"`
	Flags     string            `json:"flags"`
	Target    string            `json:"target"`
	Libraries map[string]string `json:"libraries"`
	// LateLibraries, in a manifest, are those whose version only a ready reports.
	LateLibraries []string          `json:"late_libraries,omitempty"`
	Paths         map[string]string `json:"paths"`
}

// ListAnswer is the manifest.
type ListAnswer struct {
	Answer     string      `json:"answer"`
	Protocol   int         `json:"protocol"`
	Worker     string      `json:"worker"`
	Build      Build       `json:"build"`
	Operations []Operation `json:"operations"`
}

// ReadyAnswer follows prepare.
type ReadyAnswer struct {
	Answer        string       `json:"answer"`
	Protocol      int          `json:"protocol"`
	Worker        string       `json:"worker"`
	Build         Build        `json:"build"`
	BytesPerOp    *int64       `json:"bytes_per_op"` // null where bytes make no sense
	BatchOps      int64        `json:"batch_ops"`
	ClockCostNS   int64        `json:"clock_cost_ns"`
	ResidentBytes int64        `json:"resident_bytes"`
	Verified      string       `json:"verified"`
	OutputSHA256  *string      `json:"output_sha256"` // null where ops make different outputs
	OutputBytes   *int64       `json:"output_bytes"`  // null where its digest is
	Pulse         PulseKernels `json:"pulse"`
	// Chain is left out where other processes do the work: there are no chains.
	Chain *ChainKernel `json:"chain,omitempty"`
	// Counters is left out where others than the worker's threads do the work.
	Counters *Counted `json:"counters,omitempty"`
}

// Counted is what hardware counters count of each thread.
type Counted struct {
	Groups [][]string `json:"groups"` // events, in the order of a sample's counts
	Kernel bool       `json:"kernel"` // whether what the kernel does for the thread counts, too
	// SlotsPerCycle is in how many slots of a cycle the core could issue an operation, where its events
	// don't say; else 0.
	SlotsPerCycle uint64            `json:"slots_per_cycle,omitempty"`
	Missing       map[string]string `json:"missing,omitempty"` // what is not counted, and why
}

// Output identifies an output: two that are equal here are the same.
type Output struct {
	SHA256 string // lower-case hex
	Bytes  int64
}

// Describe takes the digest and the length of an output.
func Describe(output []byte) Output {
	digest := sha256.Sum256(output)
	return Output{SHA256: hex.EncodeToString(digest[:]), Bytes: int64(len(output))}
}

// SetOutput sets the output that every op makes. Digest and length are set together or not at all:
// where ops make different outputs, they have no length in common.
func (a *ReadyAnswer) SetOutput(output Output) {
	a.OutputSHA256, a.OutputBytes = &output.SHA256, &output.Bytes
}

// PulseKernels names the instructions of a pulse.
type PulseKernels struct {
	ClockKernel      string `json:"clock_kernel"`
	ClockCyclesPerOp int64  `json:"clock_cycles_per_op"`
	WidthKernel      string `json:"width_kernel"`
}

// ChainKernel describes a chain inside a sample: the number of instructions of the clock kernel,
// and the cost (ns) of timing a chain, as the time of one that is shorter by so many.
type ChainKernel struct {
	Ops    int64 `json:"ops"`
	CostNS int64 `json:"cost_ns"`
}

// Pulse is a 1 ms core probe: how fast the core's clock runs, and how much of its width this thread
// has. The numbers of instructions are fixed; the times (ns) are measured.
type Pulse struct {
	ClockOps int64 `json:"clock_ops"`
	ClockNS  int64 `json:"clock_ns"`
	WidthOps int64 `json:"width_ops"`
	WidthNS  int64 `json:"width_ns"`
}

// MemoryPulse is one probe of the last-level cache and the memory: dependent loads, and lines read
// from memory, each with its time.
type MemoryPulse struct {
	Loads   int64 `json:"loads"`
	LoadsNS int64 `json:"loads_ns"`
	Lines   int64 `json:"lines"`
	LinesNS int64 `json:"lines_ns"`
}

// DoneAnswer follows finish.
type DoneAnswer struct {
	Answer   string `json:"answer"`
	Verified string `json:"verified"`
	Samples  int64  `json:"samples"`
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
	encoder.SetEscapeHTML(false) // for readability
	if err := encoder.Encode(answer); err != nil {
		return Faultf(KindInternal, "encoding the answer: %v", err)
	}
	if length := line.Len(); length > maxLine {
		return Faultf(KindInternal, "the answer has %d bytes; a line may have at most %d", length, maxLine).
			Advise("use fewer threads")
	}
	_, err := out.Write(line.Bytes())
	return err
}
