package main

import (
	"testing"

	"sizeup/gokit/protocol"
)

// FuzzParameters asks for operations with whatever parameters: what is not within the declared ranges
// is refused as the harness's mistake, before anything is set up.
func FuzzParameters(f *testing.F) {
	for _, op := range registry {
		f.Add(op.Name, []byte(`{}`))
	}
	f.Add("hash/go", []byte(`{"algorithm":"sha-256","message_bytes":16384}`))
	f.Add("gzip/go", []byte(`{"level":6}`))
	f.Add("hash/go", []byte(`{"algorithm":"sha-256","message_bytes":1e99}`))
	f.Fuzz(func(t *testing.T, name string, parameters []byte) {
		op, err := worker().Find(name)
		if err != nil {
			if kind := protocol.AsFault(err, "").Kind; kind != protocol.KindUnknownOperation {
				t.Fatalf("%v is of kind %q", err, kind)
			}
			return
		}
		if _, err := op.Parameters.Read(parameters); err != nil {
			if kind := protocol.AsFault(err, "").Kind; kind != protocol.KindBadRequest {
				t.Fatalf("%v is of kind %q", err, kind)
			}
		}
	})
}
