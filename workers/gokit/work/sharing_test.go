package work

import (
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"

	"sizeup/gokit/protocol"
)

func TestThreadsHaveOneStateOrEachItsOwnAsTheTableSays(t *testing.T) {
	for parameters, states := range map[string]int64{
		`{"sharing":"shared"}`: 1,
		`{"sharing":"own"}`:    2,
	} {
		var made atomic.Int64
		plan := func(job *Job) (*Plan, error) {
			state := Shared(job, func() (int64, error) { return made.Add(1), nil })
			return &Plan{Libraries: []string{"test"}, Instantiate: func() (Instance, error) {
				_, err := state()
				return scripted{func() error { return nil }}, err
			}}, nil
		}
		w := &Worker{
			Name:       "test",
			Operations: []Operation{Declare("shares/test", plan, protocol.Ranges{"sharing": Sharing()})},
			Libraries:  func() map[string]string { return map[string]string{"test": "1"} },
		}
		asked := request("shares/test")
		asked.Parameters = json.RawMessage(parameters)
		crew, _, err := w.prepare(asked)
		if err != nil {
			t.Fatal(err)
		}
		crew.End()
		if made.Load() != states {
			t.Errorf("%s: two threads made %d states", parameters, made.Load())
		}
	}
}

func TestAllThreadsGetTheReasonWhyThereIsNoState(t *testing.T) {
	tries := 0
	state := Shared(&Job{}, func() (int, error) {
		tries++
		return 0, errors.New("no memory")
	})
	for range 2 {
		if _, err := state(); err == nil || err.Error() != "no memory" {
			t.Errorf("error %v", err)
		}
	}
	if tries != 1 {
		t.Errorf("%d tries", tries)
	}
}
