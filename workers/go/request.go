package main

import (
	"encoding/hex"
	"encoding/json"
	"time"
)

// protocolNumber is the version of docs/protocol.md that this worker speaks.
const protocolNumber = 1

// Bounds of what a request may ask for.
const (
	maxThreads = 2048
	maxSettle  = 60 * time.Second
	minWindow  = time.Microsecond
	maxWindow  = 600 * time.Second
)

// prepareRequest asks for one workload, set up on every thread.
type prepareRequest struct {
	workload   string
	parameters json.RawMessage
	threads    int
	cpus       []int // thread i works on cpus[i % len]
	seed       int64
	inputs     map[string]inputFile
	plant      bool // flip one bit of every output before it is checked
}

// inputFile is where an input lies and what it must be.
type inputFile struct {
	path   string
	bytes  int64
	sha256 string // 64 lower-case hex digits
}

// measureRequest asks for one window.
type measureRequest struct {
	settle time.Duration // how long to work uncounted before
	window time.Duration // how long to work counted, at least
}

// finishRequest asks for a last verification and the end.
type finishRequest struct{}

// parseRequest decodes one line to one of the three requests.
func parseRequest(line []byte) (any, error) {
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
		return nil, faultf(kindBadRequest, "request: field %q is missing", "request")
	}
	if err := decodeValue("request", field{name: "request", into: &name}, kind.request); err != nil {
		return nil, err
	}
	switch name {
	case "prepare":
		// Before all else: under another number the other fields may mean
		// something else.
		if err := checkProtocol(kind.protocol); err != nil {
			return nil, err
		}
		return parsePrepare(line)
	case "measure":
		return parseMeasure(line)
	case "finish":
		return finishRequest{}, decodeObject("finish", line, field{name: "request", into: &name})
	}
	return nil, faultf(kindBadRequest, "unknown request %q", name).
		advise("this worker knows prepare, measure and finish")
}

func checkProtocol(raw json.RawMessage) error {
	if raw == nil {
		return faultf(kindBadRequest, "prepare: field %q is missing", "protocol")
	}
	var number int64
	if err := decodeValue("prepare", field{name: "protocol", into: &number}, raw); err != nil {
		return err
	}
	if number != protocolNumber {
		return faultf(kindProtocol, "the request speaks protocol %d, this worker speaks %d", number, protocolNumber).
			advise("use a harness and a worker of the same release")
	}
	return nil
}

func parsePrepare(line []byte) (any, error) {
	var (
		request  prepareRequest
		ignored  json.RawMessage // "request" and "protocol", seen to already
		threads  int64
		cpus     []*int64 // pointers: a null among numbers would pass as 0
		inputs   json.RawMessage
		plant    string
		planting = field{name: "plant", into: &plant, optional: true}
	)
	plant = plantNothing
	err := decodeObject("prepare", line,
		field{name: "request", into: &ignored},
		field{name: "protocol", into: &ignored},
		field{name: "workload", into: &request.workload},
		field{name: "parameters", into: &request.parameters},
		field{name: "threads", into: &threads},
		field{name: "cpus", into: &cpus},
		field{name: "seed", into: &request.seed},
		field{name: "inputs", into: &inputs},
		planting)
	if err != nil {
		return nil, err
	}
	if threads < 1 || threads > maxThreads {
		return nil, faultf(kindBadRequest, "prepare: threads is %d, it must be 1 to %d", threads, maxThreads)
	}
	request.threads = int(threads)
	if request.seed < 0 {
		return nil, faultf(kindBadRequest, "prepare: seed is %d, it must not be negative", request.seed)
	}
	if request.cpus, err = parseCPUs(cpus); err != nil {
		return nil, err
	}
	if request.inputs, err = parseInputs(inputs); err != nil {
		return nil, err
	}
	switch plant {
	case plantNothing:
	case plantWrongAnswer:
		request.plant = true
	default:
		return nil, faultf(kindBadRequest, "prepare: plant is %q", plant).
			advise("the only thing to plant is " + plantWrongAnswer)
	}
	return &request, nil
}

// plantNothing stands for the absent field; it is a value that a request can
// not hold, for a line is UTF-8.
const (
	plantNothing     = "\xff"
	plantWrongAnswer = "wrong-answer"
)

func parseCPUs(raw []*int64) ([]int, error) {
	if len(raw) == 0 {
		return nil, faultf(kindBadRequest, "prepare: cpus is empty")
	}
	cpus := make([]int, len(raw))
	for i, cpu := range raw {
		if cpu == nil || *cpu < 0 {
			return nil, faultf(kindBadRequest, "prepare: cpus[%d] is not the number of a CPU", i)
		}
		cpus[i] = int(*cpu)
	}
	return cpus, nil
}

func parseInputs(raw []byte) (map[string]inputFile, error) {
	inputs := map[string]inputFile{}
	err := eachMember("prepare: inputs", raw, func(name string, value json.RawMessage) error {
		var file inputFile
		what := "prepare: inputs: " + name
		err := decodeObject(what, value,
			field{name: "path", into: &file.path},
			field{name: "bytes", into: &file.bytes},
			field{name: "sha256", into: &file.sha256})
		if err != nil {
			return err
		}
		if file.bytes < 0 {
			return faultf(kindBadRequest, "%s: bytes is %d", what, file.bytes)
		}
		digest, err := hex.DecodeString(file.sha256)
		if err != nil || len(digest) != 32 || hex.EncodeToString(digest) != file.sha256 {
			return faultf(kindBadRequest, "%s: sha256 is not 64 lower-case hex digits", what)
		}
		inputs[name] = file
		return nil
	})
	return inputs, err
}

func parseMeasure(line []byte) (any, error) {
	var ignored json.RawMessage
	var settle, window int64
	err := decodeObject("measure", line,
		field{name: "request", into: &ignored},
		field{name: "settle_ns", into: &settle},
		field{name: "window_ns", into: &window})
	if err != nil {
		return nil, err
	}
	request := &measureRequest{time.Duration(settle), time.Duration(window)}
	if request.settle < 0 || request.settle > maxSettle {
		return nil, faultf(kindBadRequest, "measure: settle_ns is %d, it must be 0 to %d", settle, maxSettle)
	}
	if request.window < minWindow || request.window > maxWindow {
		return nil, faultf(kindBadRequest, "measure: window_ns is %d, it must be %d to %d", window, minWindow, maxWindow)
	}
	return request, nil
}
