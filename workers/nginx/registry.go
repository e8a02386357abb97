package main

import (
	"slices"

	"sizeup/gokit/protocol"
)

// registry is every workload, in the order in which the receipt lists them. What
// each does is in its parameters.
var registry = []string{
	"https-page-keepalive/nginx",
	"https-page-keepalive-tls13/nginx",
	"https-page-handshake/nginx",
	"https-page-handshake-tls13/nginx",
	"https-redirect/nginx",
	"https-redirect-tls13/nginx",
	"https-plain/nginx",
	"https-plain-tls13/nginx",
	"https-page-rate-500/nginx",
	"https-page-p99-50ms/nginx",
}

func checkWorkload(id string) error {
	if slices.Contains(registry, id) {
		return nil
	}
	return protocol.Faultf(protocol.KindUnknownWorkload, "this worker has no workload %q", id).
		Advise("nginx-worker --list tells which it has")
}
