package main

import (
	"encoding/json"
	"net/http"

	"sizeup/gokit/protocol"
)

// parameters is what a table says about a workload.
type parameters struct {
	answer            string // "page", "redirect" or "plain"
	connections       string // "kept", or "new" for each request
	connectionsPerCPU int64  // for each of the server's
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

func parseParameters(raw json.RawMessage) (*parameters, error) {
	var p parameters
	rate := protocol.Field{Name: "rate_per_server_cpu", Into: &p.ratePerCPU, Optional: true}
	limit := protocol.Field{Name: "p99_limit_ms", Into: &p.p99LimitMS, Optional: true}
	err := protocol.DecodeObject("parameters", raw,
		protocol.Field{Name: "answer", Into: &p.answer},
		protocol.Field{Name: "connections", Into: &p.connections},
		protocol.Field{Name: "connections_per_server_cpu", Into: &p.connectionsPerCPU},
		protocol.Field{Name: "tls", Into: &p.tls},
		protocol.Field{Name: "cipher", Into: &p.cipher},
		protocol.Field{Name: "curve", Into: &p.curve},
		protocol.Field{Name: "brotli_level", Into: &p.brotliLevel},
		protocol.Field{Name: "server_percent", Into: &p.serverPercent},
		protocol.Field{Name: "client", Into: &p.client},
		protocol.Field{Name: "load", Into: &p.load},
		rate, limit)
	if err != nil {
		return nil, err
	}
	return &p, p.check()
}

func (p *parameters) check() error {
	for _, rule := range []struct {
		name  string
		holds bool
	}{
		{"answer", oneOf(p.answer, "page", "redirect", "plain")},
		{"connections", oneOf(p.connections, "kept", "new")},
		{"connections_per_server_cpu", within(p.connectionsPerCPU, 1, 1024)},
		{"tls", ciphers[p.tls] != nil},
		{"cipher", ciphers[p.tls][p.cipher] != ""},
		{"curve", oneOf(p.curve, "X25519")},
		{"brotli_level", within(p.brotliLevel, 0, 11)},
		{"server_percent", within(p.serverPercent, 1, 99)},
		{"client", p.client == clientHere || isRemote(p.client)},
		{"load", oneOf(p.load, "closed", "rate", "p99")},
		{"rate_per_server_cpu", (p.load == "rate") == within(p.ratePerCPU, 1, 1_000_000)},
		{"rate_per_server_cpu", p.load == "rate" || p.ratePerCPU == 0},
		{"p99_limit_ms", (p.load == "p99") == within(p.p99LimitMS, 1, 10_000)},
		{"p99_limit_ms", p.load == "p99" || p.p99LimitMS == 0},
	} {
		if !rule.holds {
			return protocol.Faultf(protocol.KindBadRequest, "parameters: %q is missing, out of range or none that this worker knows", rule.name)
		}
	}
	return nil
}

func oneOf(value string, choices ...string) bool {
	for _, choice := range choices {
		if value == choice {
			return true
		}
	}
	return false
}

func within(value, least, most int64) bool { return value >= least && value <= most }

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
