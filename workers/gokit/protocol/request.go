// Package protocol implements docs/protocol.md, which harness and worker speak: requests and
// answers, the lines and objects they consist of, errors, and input files. It knows no operation by
// name.
package protocol

import (
	"encoding/hex"
	"encoding/json"
	"time"
)

// Number is the version of docs/protocol.md that the workers speak.
const Number = 1

// Bounds of a request's values.
const (
	maxThreads = 2048
	maxWarmup  = 60 * time.Second
	minSample  = time.Microsecond
	maxSample  = 600 * time.Second
)

// PrepareRequest asks for one operation, set up on every thread.
type PrepareRequest struct {
	Operation  string
	Parameters json.RawMessage
	Threads    int
	CPUs       []int // thread i works on cpus[i % len]
	Seed       int64
	Inputs     map[string]InputFile
	Inject     bool // flip one bit of every output before it is checked
}

// InputFile is where an input lies and what it must contain.
type InputFile struct {
	Path   string
	Bytes  int64
	SHA256 string // 64 lower-case hex digits
}

// MeasureRequest asks for one sample.
type MeasureRequest struct {
	Warmup time.Duration // uncounted work before the sample
	Sample time.Duration // counted work, at least
}

// FinishRequest asks for a last verification and the end.
type FinishRequest struct{}

// Parse decodes one line to one of the three requests.
func Parse(line []byte) (any, error) {
	var kind struct{ request, protocol json.RawMessage }
	err := eachMember("request", line, func(name string, value json.RawMessage) error {
		switch name {
		case "request":
			kind.request = value
		case "protocol":
			kind.protocol = value
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var name string
	if kind.request == nil {
		return nil, Faultf(KindBadRequest, "request: field %q is missing", "request")
	}
	if err := decodeValue("request", Field{Name: "request", Into: &name}, kind.request); err != nil {
		return nil, err
	}
	switch name {
	case "prepare":
		// Checked first: under another number the other fields may mean something else.
		if err := checkProtocol(kind.protocol); err != nil {
			return nil, err
		}
		return parsePrepare(line)
	case "measure":
		return parseMeasure(line)
	case "finish":
		return FinishRequest{}, DecodeObject("finish", line, Field{Name: "request", Into: &name})
	}
	return nil, Faultf(KindBadRequest, "unknown request %q", name).
		Advise("the requests are prepare, measure and finish")
}

func checkProtocol(raw json.RawMessage) error {
	if raw == nil {
		return Faultf(KindBadRequest, "prepare: field %q is missing", "protocol")
	}
	var number int64
	if err := decodeValue("prepare", Field{Name: "protocol", Into: &number}, raw); err != nil {
		return err
	}
	if number != Number {
		return Faultf(KindProtocol, "the request uses protocol %d; this worker speaks %d", number, Number).
			Advise("use sizeup and workers of the same release")
	}
	return nil
}

func parsePrepare(line []byte) (any, error) {
	var (
		request   PrepareRequest
		ignored   json.RawMessage // "request" and "protocol", already checked
		threads   int64
		cpus      []*int64 // pointers: a null among numbers would pass as 0
		inputs    json.RawMessage
		inject    string
		injecting = Field{Name: "inject", Into: &inject, Optional: true}
	)
	inject = injectNothing
	err := DecodeObject("prepare", line,
		Field{Name: "request", Into: &ignored},
		Field{Name: "protocol", Into: &ignored},
		Field{Name: "operation", Into: &request.Operation},
		Field{Name: "parameters", Into: &request.Parameters},
		Field{Name: "threads", Into: &threads},
		Field{Name: "cpus", Into: &cpus},
		Field{Name: "seed", Into: &request.Seed},
		Field{Name: "inputs", Into: &inputs},
		injecting)
	if err != nil {
		return nil, err
	}
	if threads < 1 || threads > maxThreads {
		return nil, Faultf(KindBadRequest, "prepare: threads is %d; it must be 1 to %d", threads, maxThreads)
	}
	request.Threads = int(threads)
	if request.Seed < 0 {
		return nil, Faultf(KindBadRequest, "prepare: seed is %d; it must not be negative", request.Seed)
	}
	if request.CPUs, err = parseCPUs(cpus); err != nil {
		return nil, err
	}
	if request.Inputs, err = parseInputs(inputs); err != nil {
		return nil, err
	}
	switch inject {
	case injectNothing:
	case injectWrongAnswer:
		request.Inject = true
	default:
		return nil, Faultf(KindBadRequest, "prepare: inject is %q", inject).
			Advise("the only known fault is " + injectWrongAnswer)
	}
	return &request, nil
}

// injectNothing stands for the absent field. A request can't hold this value, because a line is
// UTF-8.
const (
	injectNothing     = "\xff"
	injectWrongAnswer = "wrong-answer"
)

func parseCPUs(raw []*int64) ([]int, error) {
	if len(raw) == 0 {
		return nil, Faultf(KindBadRequest, "prepare: cpus is empty")
	}
	cpus := make([]int, len(raw))
	for i, cpu := range raw {
		if cpu == nil || *cpu < 0 {
			return nil, Faultf(KindBadRequest, "prepare: cpus[%d] is not a CPU number", i)
		}
		cpus[i] = int(*cpu)
	}
	return cpus, nil
}

func parseInputs(raw []byte) (map[string]InputFile, error) {
	inputs := map[string]InputFile{}
	err := eachMember("prepare: inputs", raw, func(name string, value json.RawMessage) error {
		var file InputFile
		what := "prepare: inputs: " + name
		err := DecodeObject(what, value,
			Field{Name: "path", Into: &file.Path},
			Field{Name: "bytes", Into: &file.Bytes},
			Field{Name: "sha256", Into: &file.SHA256})
		if err != nil {
			return err
		}
		if file.Bytes < 0 {
			return Faultf(KindBadRequest, "%s: bytes is %d", what, file.Bytes)
		}
		digest, err := hex.DecodeString(file.SHA256)
		if err != nil || len(digest) != 32 || hex.EncodeToString(digest) != file.SHA256 {
			return Faultf(KindBadRequest, "%s: sha256 is not 64 lower-case hex digits", what)
		}
		inputs[name] = file
		return nil
	})
	return inputs, err
}

func parseMeasure(line []byte) (any, error) {
	var ignored json.RawMessage
	var warmup, sample int64
	err := DecodeObject("measure", line,
		Field{Name: "request", Into: &ignored},
		Field{Name: "warmup_ns", Into: &warmup},
		Field{Name: "sample_ns", Into: &sample})
	if err != nil {
		return nil, err
	}
	request := &MeasureRequest{time.Duration(warmup), time.Duration(sample)}
	if request.Warmup < 0 || request.Warmup > maxWarmup {
		return nil, Faultf(KindBadRequest, "measure: warmup_ns is %d; it must be 0 to %d", warmup, maxWarmup)
	}
	if request.Sample < minSample || request.Sample > maxSample {
		return nil, Faultf(KindBadRequest, "measure: sample_ns is %d; it must be %d to %d", sample, minSample, maxSample)
	}
	return request, nil
}
