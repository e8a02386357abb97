package main

import (
	"encoding/json"
	"net/http"

	"sizeup/gokit/protocol"
)

// parameters is a request's parameters.
type parameters struct {
	answer            string // "page", "redirect" or "plain"
	connections       string // "kept", or "new" for each request
	connectionsPerCPU int    // for each of the server's
	tls               string // "1.2" or "1.3"
	cipher            string // by OpenSSL's name, the server's only one
	curve             string // of the key exchange
	brotliLevel       int64
	serverPercent     int64 // the server's share of the CPUs
	client            string
	load              string // "closed", "rate" or "p99"
	ratePerCPU        int64  // requests/s for each of the server's CPUs, if the load is "rate"
	p99LimitMS        int64  // if it is "p99"
}

// The client parameter for a client on this machine.
const clientHere = "loopback"

// ciphers is the supported ciphers, and Go's names for them.
var ciphers = map[string]map[string]string{
	"1.2": {"ECDHE-ECDSA-AES128-GCM-SHA256": "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"},
	"1.3": {"TLS_AES_128_GCM_SHA256": "TLS_AES_128_GCM_SHA256"},
}

// https is the only operation. Its parameters describe the requests and how many there are.
var https = protocol.Declare("https/nginx", protocol.Ranges{
	"answer":                     protocol.OneOf("page", "redirect", "plain"),
	"connections":                protocol.OneOf("kept", "new"),
	"connections_per_server_cpu": protocol.Integers(1, 1024),
	"tls":                        protocol.OneOf("1.2", "1.3"),
	"cipher":                     protocol.OneOf("ECDHE-ECDSA-AES128-GCM-SHA256", "TLS_AES_128_GCM_SHA256"),
	"curve":                      protocol.OneOf("X25519"),
	"brotli_level":               protocol.Integers(0, 11),
	"server_percent":             protocol.Integers(1, 99),
	"client":                     protocol.AnyText(),
	"load":                       protocol.OneOf("closed", "rate", "p99"),
	"rate_per_server_cpu":        protocol.Integers(1, 1_000_000).OrNone(),
	"p99_limit_ms":               protocol.Integers(1, 10_000).OrNone(),
}, "page")

func readParameters(raw json.RawMessage) (*parameters, error) {
	values, err := https.Parameters.Read(raw)
	if err != nil {
		return nil, err
	}
	p := &parameters{
		answer:            values.Text("answer"),
		connections:       values.Text("connections"),
		connectionsPerCPU: values.Integer("connections_per_server_cpu"),
		tls:               values.Text("tls"),
		cipher:            values.Text("cipher"),
		curve:             values.Text("curve"),
		brotliLevel:       int64(values.Integer("brotli_level")),
		serverPercent:     int64(values.Integer("server_percent")),
		client:            values.Text("client"),
		load:              values.Text("load"),
		ratePerCPU:        int64(values.Integer("rate_per_server_cpu")),
		p99LimitMS:        int64(values.Integer("p99_limit_ms")),
	}
	for _, rule := range []struct {
		holds bool
		error string
	}{
		{ciphers[p.tls][p.cipher] != "", "cipher " + p.cipher + " is not available with tls " + p.tls},
		{p.client == clientHere || isRemote(p.client), "client must be " + clientHere + " or ssh HOST[:FOLDER]"},
		{(p.load == "rate") == values.Has("rate_per_server_cpu"), "rate_per_server_cpu belongs to load rate, and to no other"},
		{(p.load == "p99") == values.Has("p99_limit_ms"), "p99_limit_ms belongs to load p99, and to no other"},
	} {
		if !rule.holds {
			return nil, protocol.Faultf(protocol.KindBadRequest, "parameters: %s", rule.error)
		}
	}
	return p, nil
}

// path is the requested path, and status that of a correct answer.
func (p *parameters) path() (path string, status int) {
	switch p.answer {
	case "redirect":
		return "/", http.StatusFound
	case "plain":
		return "/plain", http.StatusOK
	}
	return "/page", http.StatusOK
}
