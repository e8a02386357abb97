package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sizeup/worker-nginx/internal/server"
)

func TestHostsThatCouldInjectAreRefused(t *testing.T) {
	for _, client := range []string{
		"ssh -oProxyCommand=id", "ssh h;id", "ssh h id", "ssh $(id)", "ssh h\nid", "ssh `id`", "ssh h:relative",
		"ssh h:/a b", "ssh h:/a;id", "ssh ", "ssh", "h", "ssh a@-h", "ssh -a@h", "ssh  h", "ssh h'", "",
		"ssh " + strings.Repeat("h", 600),
	} {
		if isRemote(client) {
			t.Errorf("%q is accepted", client)
		}
		w := startWorker(t)
		if answer := w.ask(prepareRequest(t, map[string]any{"client": client})); answer["kind"] != "bad-request" {
			t.Errorf("%q: %v", client, answer)
		}
	}
	for _, client := range []string{"ssh h", "ssh me@h-1.example.org", "ssh h:/opt/sizeup-0.1.0"} {
		if !isRemote(client) {
			t.Errorf("%q is refused", client)
		}
	}
}

// fakeSSH is a folder for PATH with an ssh that runs on this machine what it should run on another,
// connected from an address of this machine.
func fakeSSH(t *testing.T, script string) string {
	t.Helper()
	folder := t.TempDir()
	text := "#!/bin/sh\n" + script + "\n"
	if err := os.WriteFile(filepath.Join(folder, "ssh"), []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return "PATH=" + folder + ":" + os.Getenv("PATH")
}

func TestAnotherMachineCanBeTheClient(t *testing.T) {
	log := filepath.Join(t.TempDir(), "log")
	path := fakeSSH(t, fmt.Sprintf(`printf '%%s\n' "$@" > %s
while [ "$1" != -- ]; do shift; done
SSH_CONNECTION="127.0.0.1 1 127.0.0.2 22" exec sh -c "$3"`, log))
	w := startWorker(t, path)
	ready := w.ready(prepareRequest(t, map[string]any{"client": "ssh load1"}))
	parts := ready["parts"].([]any)
	if cpus, isList := parts[1].(map[string]any)["cpus"].([]any); !isList || len(cpus) > 0 {
		t.Errorf("the client has CPUs of this machine: %v", parts)
	}
	sample := w.ask(sampleRequest)
	for _, thread := range sample["threads"].([]any) {
		if thread.(map[string]any)["ops"].(float64) < 3 {
			t.Error(sample)
		}
	}
	w.done()
	arguments, err := os.ReadFile(log)
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(arguments), "BatchMode=yes\n") || !strings.Contains(string(arguments), "\n--\nload1\n") {
		t.Errorf("ssh was called with %s", arguments)
	}
}

func TestWhyASecondMachineCannotBeTheClientIsReported(t *testing.T) {
	if _, err := server.Find(); err != nil {
		t.Skip("NOT AVAILABLE, not tested: ", err)
	}
	for script, expected := range map[string]string{
		`echo "ssh: connect to host load1 port 22: Connection refused" >&2; exit 255`:            "cannot be the client",
		`echo '{"event":"hello","driver":{"version":"another","cpu_count":1}}'; cat`:             "its client is another",
		`while [ "$1" != -- ]; do shift; done; exec sh -c "$3"`:                                  "no SSH_CONNECTION",
		`while [ "$1" != -- ]; do shift; done; SSH_CONNECTION="192.0.2.1 1 2 3" exec sh -c "$3"`: "gateway",
	} {
		w := startWorker(t, fakeSSH(t, script))
		answer := w.ask(prepareRequest(t, map[string]any{"client": "ssh load1"}))
		message, _ := answer["message"].(string)
		if answer["kind"] != "unavailable" || !strings.Contains(message, expected) || strings.Contains(message, "load1") {
			t.Errorf("%s: %v", script, answer)
		}
	}
}

func TestHostsAndAddressesStayOutOfRunFiles(t *testing.T) {
	var text strings.Builder
	r := &redacted{to: &text, host: "me@load1.example.org"}
	for _, line := range []string{
		"me@load1.example.org: Permission denied (publickey).\n",
		"ssh: connect to host load1.example.org port 22: refused\n",
		"Connection closed by 192.0.2.7 port 22, 2001:db8::1 port 22\n",
	} {
		if _, err := r.Write([]byte(line)); err != nil {
			t.Fatal(err)
		}
	}
	for _, secret := range []string{"load1", "example", "192.0", "2001", "me@"} {
		if strings.Contains(text.String(), secret) {
			t.Errorf("%s is in %s", secret, text.String())
		}
	}
}
