package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sizeup/worker-serve/internal/nginx"
)

func TestHostsThatCouldInjectAreRefused(t *testing.T) {
	for _, client := range []string{
		"ssh -oProxyCommand=id", "ssh h;id", "ssh h id", "ssh $(id)", "ssh h\nid", "ssh `id`", "ssh h:relative",
		"ssh h:~a", "ssh h:/a~", "ssh h:/a b", "ssh h:/a;id", "ssh ", "ssh", "h", "ssh a@-h", "ssh -a@h", "ssh  h", "ssh h'", "",
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
	for _, client := range []string{"ssh h", "ssh me@h-1.example.org", "ssh h:/opt/sizeup-0.1.0", "ssh h:~/.sizeup"} {
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
	if _, err := nginx.Find(); err != nil {
		notAvailable(t, err)
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

// Values that a configuration file may give the alias load1: HostName, User, ProxyJump.
var hosts = []string{"load1", "alice", "box", "example", "gate", "192.0", "2001", "me@"}

func TestNoNameThatSSHKnowsGetsIntoARunFile(t *testing.T) {
	said := strings.Join([]string{
		"Welcome to box.example.org, alice!",
		"alice@box.example.org: Permission denied (publickey).",
		"ssh: connect to host BOX.example.org port 22: Connection refused\r",
		"Connection closed by 192.0.2.7 port 22, 2001:db8::1 port 22",
		"stdio forwarding to box failed through gate.example.org",
		"",
	}, "\n")
	want := leftOut + "\nssh: Permission denied\nssh: Connection refused\nssh: Connection closed\n"
	for piece := 1; piece < len(said); piece += 7 {
		var text strings.Builder
		known := &knownMessages{to: &text}
		for rest := said; rest != ""; {
			now := rest[:min(piece, len(rest))]
			rest = rest[len(now):]
			if n, err := known.Write([]byte(now)); n != len(now) || err != nil {
				t.Fatal(n, err)
			}
		}
		if text.String() != want {
			t.Errorf("in pieces of %d: %q", piece, text.String())
		}
	}
}

func TestAMessageWithoutAnEndIsLeftOut(t *testing.T) {
	var text strings.Builder
	known := &knownMessages{to: &text}
	for range 100 {
		if _, err := known.Write([]byte(strings.Repeat("alice@box ", 1000))); err != nil {
			t.Fatal(err)
		}
	}
	if text.String() != leftOut+"\n" || len(known.unfinished) > longestMessage {
		t.Errorf("%q, %d bytes kept", text.String(), len(known.unfinished))
	}
}

func TestWhatSSHReportsIsToldWithoutNames(t *testing.T) {
	script := `echo "Welcome to box.example.org" >&2
echo "alice@box.example.org: Permission denied (publickey)." >&2
exit 255`
	_, path, _ := strings.Cut(fakeSSH(t, script), "=")
	t.Setenv("PATH", path)
	said, err := os.Create(filepath.Join(t.TempDir(), "said"))
	if err != nil {
		t.Fatal(err)
	}
	defer said.Close()
	stderr := os.Stderr
	os.Stderr = said
	_, _, failed := startClient("ssh me@load1:/opt/sizeup")
	os.Stderr = stderr
	text, err := os.ReadFile(said.Name())
	if err != nil || failed == nil {
		t.Fatal(err, failed)
	}
	told := failed.Error() + string(text)
	if !strings.Contains(told, "ssh: Permission denied\n") {
		t.Error(told)
	}
	for _, name := range hosts {
		if strings.Contains(told, name) {
			t.Errorf("%s is in %s", name, told)
		}
	}
}
