package main

import (
	"testing"

	"sizeup/gokit/protocol"
)

// FuzzParameters reads whatever parameters, of every service: what is refused is the harness's mistake,
// and what is read can be divided among CPUs.
func FuzzParameters(f *testing.F) {
	f.Add([]byte(`{}`))
	f.Add([]byte(`{"answer":"page","connections":"kept","connections_per_server_cpu":16,"tls":"1.3",` +
		`"cipher":"TLS_AES_128_GCM_SHA256","curve":"X25519","brotli_level":5,"server_percent":50,` +
		`"client":"loopback","load":"rate","rate_per_server_cpu":500,"p99_limit_ms":null}`))
	f.Add([]byte(`{"answer":"plain","connections":"new","connections_per_server_cpu":1,"tls":"1.2",` +
		`"cipher":"ECDHE-ECDSA-AES128-GCM-SHA256","curve":"X25519","brotli_level":0,"server_percent":99,` +
		`"client":"user@host:/folder","load":"p99","rate_per_server_cpu":null,"p99_limit_ms":50}`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		for _, service := range services {
			read, values, err := service.read(raw)
			if err == nil {
				_, err = service.plan(&protocol.PrepareRequest{Seed: 1}, values, protocol.NewInputs(nil))
			}
			if err != nil {
				// Without its input a good request fails as well.
				if kind := protocol.AsFault(err, "").Kind; kind != protocol.KindBadRequest && kind != protocol.KindInput {
					t.Fatalf("%v is of kind %q", err, kind)
				}
				continue
			}
			if read.serverPercent < 1 || read.serverPercent > 99 || read.connectionsPerCPU < 1 {
				t.Fatalf("%+v", read)
			}
		}
	})
}
