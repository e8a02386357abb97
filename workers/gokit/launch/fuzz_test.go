package launch

import (
	"bytes"
	"encoding/json"
	"testing"
)

// FuzzRequests sends whatever it likes to a worker: each answer is one of the protocol, one for each
// request at most, and what was set up is released once.
func FuzzRequests(f *testing.F) {
	for _, seed := range [][]string{
		{prepareLine, measureLine, finishLine},
		{prepareLine, prepareLine},
		{measureLine},
		{`{"request":"prepare","protocol":2}`},
		{`{"request":"measure","warmup_ns":-1,"sample_ns":1e3}`, `{"request":null}`, `[]`, ``},
		{`{"request":"prepare","protocol":1,"operation":"w","parameters":{"level":1.5,"name":"x"},"threads":2048,` +
			`"cpus":[0,4294967295],"seed":9223372036854775807,"inputs":{"data":{"path":"x","bytes":1,"sha256":"00"}},` +
			`"inject":"wrong-answer"}`},
	} {
		f.Add([]byte(lines(seed...)))
	}
	f.Fuzz(func(t *testing.T, stdin []byte) {
		work := &scripted{}
		var out bytes.Buffer
		status := work.worker().Serve(bytes.NewReader(stdin), &out)
		answers := bytes.Split(bytes.TrimSuffix(out.Bytes(), []byte("\n")), []byte("\n"))
		if most := bytes.Count(stdin, []byte("\n")) + 2; len(answers) > most {
			t.Fatalf("%d answers to at most %d requests", len(answers), most)
		}
		last := ""
		for _, line := range answers {
			var answer struct{ Answer, Kind, Message string }
			if err := json.Unmarshal(line, &answer); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			if answer.Kind == "internal" {
				t.Fatalf("a bug of the worker: %s", line)
			}
			last = answer.Answer
		}
		if (status == 0) != (last == "done") || (status == 1) != (last == "error") {
			t.Fatalf("status %d behind the answer %q", status, last)
		}
		if work.ended > 1 {
			t.Fatalf("the work was released %d times", work.ended)
		}
	})
}
