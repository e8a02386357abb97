package main

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"github.com/andybalholm/brotli"

	"sizeup/gokit/cpu"
	"sizeup/gokit/process"
	"sizeup/gokit/protocol"
	"sizeup/worker-serve/internal/drive"
	"sizeup/worker-serve/internal/nginx"
)

// nginxService is the installed NGINX over TLS, with LuaJIT and brotli. One op is a request and its answer.
var nginxService = service{
	operation: declare("https/nginx", protocol.Ranges{
		"answer":      protocol.OneOf("page", "redirect", "plain"),
		"connections": protocol.OneOf("kept", "new"),
		"tls":         protocol.OneOf("1.2", "1.3"),
		"cipher":      protocol.OneOf("ECDHE-ECDSA-AES128-GCM-SHA256", "TLS_AES_128_GCM_SHA256"),
		"curve":       protocol.OneOf("X25519", drive.Hybrid),
		// Requests under way at once on each connection, over HTTP/2.
		"http2_streams": protocol.Integers(1, 100).OrNone(),
		"brotli_level":  protocol.Integers(0, 11),
	}, "page"),
	libraries: nginxLibraries,
	plan:      planNGINX,
}

// pageParameters is what the requests are for, and the settings of NGINX.
type pageParameters struct {
	answer      string // "page", "redirect" or "plain"
	connections string // "kept", or "new" for each request
	tls         string // "1.2" or "1.3"
	cipher      string // by OpenSSL's name, the server's only one
	curve       string // of the key exchange
	brotliLevel int64
	streams     int // 0 for HTTP/1.1
}

// ciphers is the supported ciphers, and Go's names for them.
var ciphers = map[string]map[string]string{
	"1.2": {"ECDHE-ECDSA-AES128-GCM-SHA256": "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256"},
	"1.3": {"TLS_AES_128_GCM_SHA256": "TLS_AES_128_GCM_SHA256"},
}

func planNGINX(_ *protocol.PrepareRequest, values protocol.Parameters, inputs *protocol.Inputs) (*plan, error) {
	p := &pageParameters{
		answer:      values.Text("answer"),
		connections: values.Text("connections"),
		tls:         values.Text("tls"),
		cipher:      values.Text("cipher"),
		curve:       values.Text("curve"),
		brotliLevel: int64(values.Integer("brotli_level")),
		streams:     values.Integer("http2_streams"),
	}
	err := refuse([]rule{
		{ciphers[p.tls][p.cipher] != "", "cipher " + p.cipher + " is not available with tls " + p.tls},
		{p.curve != drive.Hybrid || p.tls == "1.3", "curve " + p.curve + " is not available with tls " + p.tls},
		{p.streams == 0 || p.connections == "kept", "http2_streams belongs to kept connections"},
	})
	if err != nil {
		return nil, err
	}
	var page []byte
	if p.answer == "page" {
		if page, err = inputs.Take("page"); err != nil {
			return nil, err
		}
	}
	return &plan{
		expected: p.expect(page),
		start: func(cpus []int, address net.IP) (running, *drive.Target, map[string]string, error) {
			return p.start(cpus, address, page)
		},
		output: func(f *drive.Fetched) ([]byte, error) { return outputOf(f, p.answer, time.Now()) },
	}, nil
}

func (p *pageParameters) start(cpus []int, address net.IP, page []byte) (running, *drive.Target, map[string]string, error) {
	installation, err := nginx.Find()
	if err != nil {
		return nil, nil, nil, err
	}
	if err := drive.Offer(p.curve); err != nil { // the server is also asked for its libraries
		return nil, nil, nil, err
	}
	server, err := installation.Start(nginx.Settings{
		CPUs: cpus, Address: address, TLS: p.tls, Cipher: p.cipher, Curve: p.curve, BrotliLevel: p.brotliLevel, Page: page,
		HTTP2: p.streams > 0,
	})
	if err != nil {
		return nil, nil, nil, fmt.Errorf("NGINX: %w", err)
	}
	libraries, err := server.About(installation)
	if err != nil {
		server.Stop()
		return nil, nil, nil, err
	}
	if p.streams > 0 {
		libraries["x/net"] = process.ModuleVersion(drive.HTTP2Module)
	} else {
		libraries["fortio"] = process.ModuleVersion(drive.FortioModule)
	}
	path, status := p.path()
	return server, &drive.Target{HTTP: &drive.HTTPTarget{
		Address: server.Address, Path: path, Status: status, Certificate: string(server.Certificate), KeptOpen: p.connections == "kept",
		HTTP2Streams: p.streams, Curve: p.curve,
	}}, libraries, nil
}

// nginxLibraries starts NGINX for a moment to read the versions of its libraries. As root it does
// not: listing must not run a server as root.
func nginxLibraries() (now map[string]string, late []string, err error) {
	now = map[string]string{
		"fortio": process.ModuleVersion(drive.FortioModule), "x/net": process.ModuleVersion(drive.HTTP2Module),
	}
	installation, err := nginx.Find()
	if err != nil {
		return now, nil, err
	}
	if nginx.WouldBeRoot() {
		now["nginx"] = installation.Version
		return now, nginx.Libraries, nil
	}
	cpus, err := cpu.Allowed()
	if err != nil {
		return nil, nil, err
	}
	started, err := installation.Start(nginx.Settings{
		CPUs: cpus[:1], Address: net.IPv4(127, 0, 0, 1),
		TLS: "1.2", Cipher: "ECDHE-ECDSA-AES128-GCM-SHA256", Curve: "X25519", BrotliLevel: 5,
	})
	if err != nil {
		return now, nil, err
	}
	defer started.Stop()
	about, err := started.About(installation)
	maps.Copy(now, about)
	return now, nil, err
}

// path is the requested path, and status that of a correct answer.
func (p *pageParameters) path() (path string, status int) {
	switch p.answer {
	case "redirect":
		return "/", http.StatusFound
	case "plain":
		return "/plain", http.StatusOK
	}
	return "/page", http.StatusOK
}

// expect computes the expected answer from the parameters and the page alone.
func (p *pageParameters) expect(page []byte) expected {
	head := fmt.Sprintf("TLS %s, %s, %s, a new session\n", p.tls, ciphers[p.tls][p.cipher], p.curve)
	if p.streams > 0 {
		head = "HTTP/2.0, " + head
	}
	switch p.answer {
	case "redirect":
		return expected{
			phrase: "the redirect leads to the page, with the requested cipher",
			output: []byte(head + "302 to /page\n"),
		}
	case "plain":
		return expected{
			phrase: "the answer has the expected two bytes, with the requested cipher",
			output: []byte(head + "200 text/plain \nok"),
		}
	}
	return expected{
		phrase: "the page is minified, compressed and fresh, with the requested cipher",
		output: append([]byte(head+"200 text/html br\n"), minified(page)...),
	}
}

// minified is the page without line breaks, each run of spaces as one space: the output of the
// server's Lua code, computed in another way.
func minified(page []byte) []byte {
	small := make([]byte, 0, len(page))
	for _, b := range page {
		isSecondSpace := b == ' ' && len(small) > 0 && small[len(small)-1] == ' '
		if b != '\r' && b != '\n' && !isSecondSpace {
			small = append(small, b)
		}
	}
	return small
}

// outputOf is all parts of an answer that matter, without the one that changes: the time at which
// the page was made, which must be now.
func outputOf(f *drive.Fetched, answer string, now time.Time) ([]byte, error) {
	session := "a new session"
	if f.Resumed {
		session = "a resumed session"
	}
	head := fmt.Sprintf("%s, %s, %s, %s\n%d ", f.TLS, f.Cipher, f.Curve, session, f.Status)
	if f.Protocol != "HTTP/1.1" { // of which outputs say nothing
		head = f.Protocol + ", " + head
	}
	if answer == "redirect" {
		return fmt.Appendf(nil, "%sto %s\n", head, pathOf(f.Location)), nil
	}
	head += f.ContentType + " " + f.ContentEncoding + "\n"
	if answer == "plain" {
		return append([]byte(head), f.Body...), nil
	}
	body := f.Body
	if f.ContentEncoding == "br" {
		var err error
		if body, err = io.ReadAll(brotli.NewReader(bytes.NewReader(f.Body))); err != nil {
			return nil, wrong("the page does not decompress: %v", err)
		}
	}
	page, err := cutTime(body, now)
	return append([]byte(head), page...), err
}

// pathOf removes the server's own address from a location.
func pathOf(location string) string {
	return regexp.MustCompile(`^https://[^/]+`).ReplaceAllString(location, "")
}

// A clock is adjusted now and then; a stale page is older.
const freshFor = 10 * time.Second

var madeAt = regexp.MustCompile(`<!-- made at (\d+\.\d{3}) -->$`)

func cutTime(page []byte, now time.Time) ([]byte, error) {
	found := madeAt.FindSubmatchIndex(page)
	if found == nil {
		return nil, wrong("the page does not end with the time at which it was made")
	}
	seconds, err := strconv.ParseFloat(string(page[found[2]:found[3]]), 64)
	if err != nil {
		return nil, wrong("the page's time: %v", err)
	}
	made := time.UnixMilli(int64(seconds * 1000))
	if age := now.Sub(made); age.Abs() > freshFor {
		return nil, wrong("the page was made %v ago", age)
	}
	return page[:found[0]], nil
}
