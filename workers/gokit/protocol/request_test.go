package protocol

import (
	"encoding/json"
	"strings"
	"testing"
)

// mustBe checks that an error is a fault of a kind, and that its message contains a text.
func mustBe(t *testing.T, err error, kind, naming string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error of kind %s", kind)
	}
	if f := AsFault(err, ""); f.Kind != kind || !strings.Contains(f.Message, naming) {
		t.Errorf("%v, not of kind %s naming %q", err, kind, naming)
	}
}

// request builds a request line out of fields.
type request map[string]any

func (r request) with(name string, value any) request {
	changed := request{}
	for k, v := range r {
		changed[k] = v
	}
	changed[name] = value
	return changed
}

func (r request) without(name string) request {
	changed := r.with(name, nil)
	delete(changed, name)
	return changed
}

func (r request) line() []byte {
	line, err := json.Marshal(r)
	if err != nil {
		panic(err)
	}
	return line
}

// aDigest looks like a SHA-256.
var aDigest = strings.Repeat("0f", 32)

var (
	aPrepare = request{
		"request": "prepare", "protocol": 1, "operation": "empty/go", "parameters": request{"level": 1},
		"threads": 3, "cpus": []int{0, 2}, "seed": 42,
		"inputs": request{"page": request{"path": "x", "bytes": 1, "sha256": aDigest}},
	}
	aMeasure = request{"request": "measure", "warmup_ns": 1_000_000, "sample_ns": 20_000_000}
)

func TestRequestsAreUnderstood(t *testing.T) {
	parsed, err := Parse(aPrepare.with("inject", "wrong-answer").line())
	if err != nil {
		t.Fatal(err)
	}
	p := parsed.(*PrepareRequest)
	if p.Operation != "empty/go" || string(p.Parameters) != `{"level":1}` || p.Threads != 3 || len(p.CPUs) != 2 ||
		p.CPUs[1] != 2 || p.Seed != 42 || !p.Inject || p.Inputs["page"] != (InputFile{"x", 1, aDigest}) {
		t.Errorf("%+v", p)
	}
	if parsed, err = Parse(aPrepare.line()); err != nil || parsed.(*PrepareRequest).Inject {
		t.Errorf("%+v, %v", parsed, err)
	}
	if parsed, err = Parse(aMeasure.line()); err != nil || *parsed.(*MeasureRequest) != (MeasureRequest{1e6, 2e7}) {
		t.Errorf("%+v, %v", parsed, err)
	}
	if parsed, err = Parse([]byte(finish)); err != nil || parsed != (FinishRequest{}) {
		t.Errorf("%+v, %v", parsed, err)
	}
}

func TestMalformedRequestsAreRefused(t *testing.T) {
	for name, c := range map[string]struct{ line, naming string }{
		"not JSON":          {`{"request":`, "not JSON"},
		"an empty line":     {``, "not JSON"},
		"not an object":     {`["finish"]`, "not a JSON object"},
		"two objects":       {`{"request":"finish"}{}`, "follows"},
		"no request":        {`{}`, `"request"`},
		"unknown request":   {`{"request":"sing"}`, `"sing"`},
		"ill-typed request": {`{"request":1}`, `"request"`},
		"field of finish":   {`{"request":"finish","loudly":true}`, `"loudly"`},
		"field twice":       {`{"request":"finish","request":"finish"}`, "duplicate"},
		"wrong case":        {`{"Request":"finish"}`, `"request"`},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse([]byte(c.line))
			mustBe(t, err, KindBadRequest, c.naming)
		})
	}
}

func TestABadPrepareIsRefusedByName(t *testing.T) {
	for name, c := range map[string]struct {
		request request
		naming  string
	}{
		"an unknown field": {aPrepare.with("colour", 1), `"colour"`},
		"no operation":     {aPrepare.without("operation"), `"operation"`},
		"no parameters":    {aPrepare.without("parameters"), `"parameters"`},
		"no inputs":        {aPrepare.without("inputs"), `"inputs"`},
		"no protocol":      {aPrepare.without("protocol"), `"protocol"`},
		"a null":           {aPrepare.with("seed", nil), `"seed"`},
		"no threads":       {aPrepare.with("threads", 0), "threads"},
		"too many threads": {aPrepare.with("threads", 2049), "2048"},
		"half a thread":    {aPrepare.with("threads", 1.5), `"threads"`},
		"no CPU":           {aPrepare.with("cpus", []int{}), "cpus"},
		"a negative CPU":   {aPrepare.with("cpus", []int{0, -1}), "cpus[1]"},
		"a null CPU":       {aPrepare.with("cpus", []any{nil}), "cpus[0]"},
		"a negative seed":  {aPrepare.with("seed", -1), "seed"},
		"too large a seed": {aPrepare.with("seed", json.Number("9223372036854775808")), `"seed"`},
		"another inject":   {aPrepare.with("inject", "tulip"), "tulip"},
		"an empty inject":  {aPrepare.with("inject", ""), "inject"},
		"inputs as a list": {aPrepare.with("inputs", []int{}), "inputs"},
		"an input of no path": {aPrepare.with("inputs", request{
			"page": request{"bytes": 1, "sha256": aDigest},
		}), `"path"`},
		"an input of negative length": {aPrepare.with("inputs", request{
			"page": request{"path": "x", "bytes": -1, "sha256": aDigest},
		}), "bytes"},
		"an input with a short digest": {aPrepare.with("inputs", request{
			"page": request{"path": "x", "bytes": 1, "sha256": "00"},
		}), "sha256"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := Parse(c.request.line())
			mustBe(t, err, KindBadRequest, c.naming)
		})
	}
}

func TestAnotherProtocolIsRefusedBeforeItsFieldsAreChecked(t *testing.T) {
	_, err := Parse(aPrepare.with("protocol", 2).with("novelty", true).line())
	mustBe(t, err, KindProtocol, "protocol 2; this worker speaks 1")
}

func TestMeasureChecksItsBounds(t *testing.T) {
	for _, c := range []struct {
		field string
		value any
	}{
		{"warmup_ns", -1}, {"warmup_ns", int64(maxWarmup) + 1}, {"warmup_ns", 0.5},
		{"sample_ns", 999}, {"sample_ns", int64(maxSample) + 1}, {"laps", 1},
	} {
		_, err := Parse(aMeasure.with(c.field, c.value).line())
		mustBe(t, err, KindBadRequest, c.field)
	}
	_, err := Parse(aMeasure.without("sample_ns").line())
	mustBe(t, err, KindBadRequest, "sample_ns")
}
