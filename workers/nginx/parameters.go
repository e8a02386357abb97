package main

import (
	"encoding/json"
	"net/http"

	"sizeup/gokit/protocol"
)

// parameters is what a request says about the work.
type parameters struct {
	answer            string // "page", "redirect" or "plain"
	connections       string // "kept", or "new" for each request
	connectionsPerCPU int    // for each of the server's
	tls               string // "1.2" or "1.3"
	cipher            string // by OpenSSL's name, the only one that the server has
	curve             string // of the key exchange
	brotliLevel       int64
	serverPercent     int64 // the server's share of the CPUs
	client            string
	load              string // "closed", "rate" or "p99"
	ratePerCPU        int64  // requests/s for each of the server's CPUs, where the load is "rate"
	p99LimitMS        int64  // where it is "p99"
}

// Where the client is.
const clientHere = "loopback"

// ciphers is those that the table may name, and what Go calls them.
var ciphers = map[string]map[string]string{
	"1.2": {"ECDHE-ECDSA-AES128-GCM-SHA256": "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"},
	"1.3": {"TLS_AES_128_GCM_SHA256": "TLS_AES_128_GCM_SHA256"},
}

// https is the only operation. What a request is like, and how many there are, is in
// its parameters.
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
	asked, err := https.Parameters.Read(raw)
	if err != nil {
		return nil, err
	}
	p := &parameters{
		answer:            asked.Text("answer"),
		connections:       asked.Text("connections"),
		connectionsPerCPU: asked.Integer("connections_per_server_cpu"),
		tls:               asked.Text("tls"),
		cipher:            asked.Text("cipher"),
		curve:             asked.Text("curve"),
		brotliLevel:       int64(asked.Integer("brotli_level")),
		serverPercent:     int64(asked.Integer("server_percent")),
		client:            asked.Text("client"),
		load:              asked.Text("load"),
		ratePerCPU:        int64(asked.Integer("rate_per_server_cpu")),
		p99LimitMS:        int64(asked.Integer("p99_limit_ms")),
	}
	for _, rule := range []struct {
		holds bool
		says  string
	}{
		{ciphers[p.tls][p.cipher] != "", "cipher " + p.cipher + " is none of tls " + p.tls},
		{p.client == clientHere || isRemote(p.client), "client is neither " + clientHere + " nor ssh to a host"},
		{(p.load == "rate") == asked.Has("rate_per_server_cpu"), "rate_per_server_cpu goes with load rate, and with no other"},
		{(p.load == "p99") == asked.Has("p99_limit_ms"), "p99_limit_ms goes with load p99, and with no other"},
	} {
		if !rule.holds {
			return nil, protocol.Faultf(protocol.KindBadRequest, "parameters: %s", rule.says)
		}
	}
	return p, nil
}

// path is what is asked for, and status what a right answer has.
func (p *parameters) path() (path string, status int) {
	switch p.answer {
	case "redirect":
		return "/", http.StatusFound
	case "plain":
		return "/plain", http.StatusOK
	}
	return "/page", http.StatusOK
}
