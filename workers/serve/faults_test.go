package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sizeup/worker-serve/internal/nginx"
)

// alteredNGINX is a folder with an NGINX that changes its configuration by sed before it reads it.
func alteredNGINX(t *testing.T, sed string) string {
	t.Helper()
	const program, modules = "/usr/sbin/nginx", "/usr/lib/nginx/modules"
	if _, err := nginx.Find(); err != nil {
		notAvailable(t, err)
	}
	folder := t.TempDir()
	for _, place := range []string{"usr/sbin", "usr/lib/nginx"} {
		if err := os.MkdirAll(filepath.Join(folder, place), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	script := fmt.Sprintf("#!/bin/sh\n[ \"$1\" = -V ] || sed -i -e '%s' \"$4\"\nexec %s \"$@\"\n", sed, program)
	if err := os.WriteFile(filepath.Join(folder, "usr/sbin/nginx"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(modules, filepath.Join(folder, "usr/lib/nginx/modules")); err != nil {
		t.Fatal(err)
	}
	return folder
}

func TestAnUnchangedNGINXPassesThroughTheSameWrapper(t *testing.T) {
	w := startWorker(t, "SIZEUP_NGINX="+alteredNGINX(t, "s/x/x/"))
	w.ready(prepareRequest(t, nil))
	w.done()
}

func TestEveryFaultOfTheServerFailsTheCase(t *testing.T) {
	tls13 := map[string]any{"tls": "1.3", "cipher": "TLS_AES_128_GCM_SHA256"}
	http2 := map[string]any{"answer": "plain", "tls": "1.3", "cipher": "TLS_AES_128_GCM_SHA256", "http2_streams": 4}
	for _, fault := range []struct {
		name, sed string
		changes   map[string]any
		expected  string
	}{
		{"another cipher", "s/AES128-GCM-SHA256/AES256-GCM-SHA384/", nil, "AES_256"},
		{"another cipher of TLS 1.3", "s/TLS_AES_128_GCM_SHA256/TLS_AES_256_GCM_SHA384/", tls13, "AES_256"},
		{"another protocol", "s/ssl_protocols .*/ssl_protocols TLSv1.3;/", nil, "TLS 1.3"},
		{"no HTTP/2", "s/ ssl http2 / ssl /", http2, "no application protocol"},
		{"a limit of HTTP/2", "s/ssl_session_cache off;/&http2_max_concurrent_streams 2;/", http2, "allows 2 requests"},
		{"other bytes over HTTP/2", `s/return 200 "ok"/return 200 "no"/`, http2, "differs"},
		{"another curve", "s/X25519/prime256v1/", nil, "P256"},
		{"sessions that are resumed", "s/ssl_session_tickets off/ssl_session_tickets on/", nil, "a resumed session"},
		{"no brotli", "s/brotli on/brotli off/", nil, "text/html"},
		{"a page that is not minified", `s/page = page:gsub.*/page = page/`, nil, "differs"},
		{"a stale timestamp", "s/ngx.now()/ngx.now() - 3600/", nil, "1h0m0"},
		{"no timestamp", "s/<!-- made at %.3f -->//", nil, "time at which it was made"},
		{"a redirect elsewhere", `s|redirect("/page"|redirect("/plain"|`, map[string]any{"answer": "redirect"}, "/plain"},
		{"another status", "s|\"/page\", 302|\"/page\", 301|", map[string]any{"answer": "redirect"}, "status 301"},
		{"other bytes", `s/return 200 "ok"/return 200 "no"/`, map[string]any{"answer": "plain"}, "differs"},
	} {
		t.Run(fault.name, func(t *testing.T) {
			w := startWorker(t, "SIZEUP_NGINX="+alteredNGINX(t, fault.sed))
			answer := w.ask(prepareRequest(t, fault.changes))
			message, _ := answer["message"].(string)
			if answer["kind"] != "wrong-answer" && answer["kind"] != "operation-failed" || !strings.Contains(message, fault.expected) {
				t.Error(answer)
			}
		})
	}
}

func TestAnNGINXWithoutAModuleIsUnavailable(t *testing.T) {
	for _, module := range []string{"brotli", "http_lua"} {
		w := startWorker(t, "SIZEUP_NGINX="+alteredNGINX(t, "/load_module.*"+module+"/d"))
		answer := w.ask(prepareRequest(t, nil))
		message, _ := answer["message"].(string)
		if answer["kind"] != "unavailable" || !strings.Contains(message, "unknown directive") {
			t.Errorf("%s: %v", module, answer)
		}
	}
}

// With an OpenSSL before 3.5 the row says why it is not measured.
func TestTheHybridKeyExchangeIsMeasuredOrUnavailable(t *testing.T) {
	w := startWorker(t)
	answer := w.ask(prepareRequest(t, map[string]any{
		"answer": "plain", "connections": "new", "tls": "1.3", "cipher": "TLS_AES_128_GCM_SHA256", "curve": "X25519MLKEM768",
	}))
	message, _ := answer["message"].(string)
	hint, _ := answer["hint"].(string)
	switch {
	case answer["answer"] == "ready":
		if sample := w.ask(sampleRequest); sample["answer"] != "sample" {
			t.Error(sample)
		}
		w.done()
	case strings.Contains(hint, "install NGINX with"):
		notAvailable(t, message)
	case answer["kind"] != "unavailable" || !strings.Contains(message, "does not have the key exchange X25519MLKEM768") ||
		!strings.Contains(hint, "OpenSSL 3.5"):
		t.Error(answer)
	}
}

func TestAFaultInOurConfigurationIsNotReportedAsUnavailable(t *testing.T) {
	w := startWorker(t, "SIZEUP_NGINX="+alteredNGINX(t, "s/ssl_session_cache off/ssl_session_cache nonsense/"))
	if answer := w.ask(prepareRequest(t, nil)); answer["kind"] != "internal" {
		t.Error(answer)
	}
}
