package main

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"sizeup/worker-serve/internal/nginx"
)

// The user that NGINX's workers run as.
const nobody = 65534

// asSwapper makes the test program a process of nobody's that swaps files.
const asSwapper = "SIZEUP_TEST_AS_SWAPPER"

func needRoot(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("NOT AVAILABLE, not tested: needs root")
	}
	if _, err := nginx.Find(); err != nil {
		notAvailable(t, err)
	}
}

// swap tries forever to make NGINX's master read a file of its own: it looks for NGINX's folder in
// the first folder, and puts in a configuration from the second one. It reports its number of tries
// when its stdin closes.
func swap(temporary, own string) {
	tries := 0
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		fmt.Println(tries)
		os.Exit(0)
	}()
	config := fmt.Sprintf("pid %q;\ndaemon off;\nerror_log stderr;\nevents {}\n", filepath.Join(own, "root-was-here"))
	evil := filepath.Join(own, "evil.conf")
	for ; ; time.Sleep(20 * time.Microsecond) {
		folders, _ := filepath.Glob(filepath.Join(temporary, "sizeup-nginx-*"))
		for _, folder := range folders {
			tries++
			// Continue after any failure: only the result counts.
			_ = os.WriteFile(evil, []byte(config), 0o644)
			_ = os.Rename(evil, filepath.Join(folder, "nginx.conf"))
			_ = os.WriteFile(filepath.Join(folder, "nginx.conf"), []byte(config), 0o644)
			_ = os.Symlink(evil, filepath.Join(folder, "key.pem"))
			_ = os.Rename(folder, folder+"-moved")
		}
	}
}

// swapper is a process of nobody's that swaps files while a test runs.
type swapper struct {
	command *exec.Cmd
	input   io.Closer
	output  io.Reader
	own     string
}

func startSwapper(t *testing.T, temporary string) *swapper {
	t.Helper()
	s := &swapper{own: openFolder(t)}
	if err := os.Chown(s.own, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	// The go command keeps test programs in folders that only their owner can enter.
	program := filepath.Join(openFolder(t), "swapper")
	content, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(program, content, 0o755); err != nil {
		t.Fatal(err)
	}
	s.command = exec.Command(program, temporary, s.own)
	s.command.Env = []string{asSwapper + "=1"}
	s.command.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	if s.input, err = s.command.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	if s.output, err = s.command.StdoutPipe(); err != nil {
		t.Fatal(err)
	}
	start(t, s.command)
	t.Cleanup(func() {
		_ = s.command.Process.Kill()
		_ = s.command.Wait()
	})
	return s
}

// tries ends the swapper, and returns its number of tries.
func (s *swapper) tries(t *testing.T) int {
	t.Helper()
	if err := s.input.Close(); err != nil {
		t.Fatal(err)
	}
	output, err := io.ReadAll(s.output)
	if err != nil {
		t.Fatal(err)
	}
	tries, err := strconv.Atoi(strings.TrimSpace(string(output)))
	if err != nil {
		t.Fatal(err)
	}
	return tries
}

// openFolder is a temporary folder that everybody may read.
func openFolder(t testing.TB) string {
	t.Helper()
	folder := t.TempDir()
	for path := folder; strings.HasPrefix(path, os.TempDir()+"/"); path = filepath.Dir(path) {
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return folder
}

// starts is how often NGINX is started in a test of swapping: often enough for an attack to succeed
// if one can. (With code that gave the folder away, the first start failed.)
const starts = 15

func TestNoOtherUserSwapsWhatARootNGINXReads(t *testing.T) {
	needRoot(t)
	temporary := openFolder(t)
	swapper := startSwapper(t, temporary)
	for range starts {
		w := startWorker(t, "TMPDIR="+temporary)
		w.ready(prepareRequest(t, nil))
		w.done()
		list(t, "TMPDIR="+temporary)
	}
	if tries := swapper.tries(t); tries == 0 {
		t.Errorf("the swapper made no attempt in %d starts", starts)
	}
	if _, err := os.Lstat(filepath.Join(swapper.own, "root-was-here")); err == nil {
		t.Error("NGINX's master has read a configuration of nobody's as root")
	}
}

// list asks a worker for its manifest.
func list(t *testing.T, variables ...string) string {
	t.Helper()
	command := exec.Command(os.Args[0], "--list")
	command.Env = append(append(os.Environ(), asWorker+"=1"), variables...)
	var output strings.Builder
	command.Stdout = &output
	start(t, command)
	if err := command.Wait(); err != nil {
		t.Fatalf("%v: %s", err, output.String())
	}
	return output.String()
}

func TestAsRootTheManifestDoesNotStartNGINX(t *testing.T) {
	needRoot(t)
	calls := filepath.Join(t.TempDir(), "calls")
	folder := alteredNGINX(t, "s/x/x/")
	wrapper := filepath.Join(folder, "usr/sbin/nginx")
	script := fmt.Sprintf("#!/bin/sh\necho \"$1\" >>%s\nexec /usr/sbin/nginx \"$@\"\n", calls)
	if err := os.WriteFile(wrapper, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	manifest := list(t, nginx.FolderVariable+"="+folder)
	called, err := os.ReadFile(calls)
	if err != nil || string(called) != "-V\n" {
		t.Errorf("NGINX was called with %q, %v", called, err)
	}
	const late = `"late_libraries":["luajit","ngx_lua","resty.core","openssl","brotli"]`
	if !strings.Contains(manifest, `"nginx":"`) || !strings.Contains(manifest, late) {
		t.Error(manifest)
	}
}

func TestAsRootNoNGINXThatOthersCouldChangeIsStarted(t *testing.T) {
	needRoot(t)
	for name, change := range map[string]func(folder string) error{
		"a program of nobody's":    func(f string) error { return os.Chown(filepath.Join(f, "usr/sbin/nginx"), nobody, 0) },
		"a folder of nobody's":     func(f string) error { return os.Chown(f, nobody, 0) },
		"a folder for all":         func(f string) error { return os.Chmod(f, 0o777) },
		"a folder for a group":     func(f string) error { return os.Chmod(f, 0o775) },
		"a file of nobody's in it": func(f string) error { return foreignFile(filepath.Join(f, "usr/share/lua/5.1/resty.lua")) },
		"a folder for root's group, or that an access list opens": func(f string) error {
			return cmp.Or(os.Chown(f, 0, 0), os.Chmod(f, 0o775))
		},
		"a link to a file of nobody's": func(f string) error {
			foreign := filepath.Join(openFolder(t), "resty.lua")
			return cmp.Or(foreignFile(foreign), os.Symlink(foreign, filepath.Join(f, "resty.lua")))
		},
	} {
		t.Run(name, func(t *testing.T) {
			folder := alteredNGINX(t, "s/x/x/")
			if err := os.Chown(folder, 0, nobody); err != nil {
				t.Fatal(err)
			}
			if err := change(folder); err != nil {
				t.Fatal(err)
			}
			w := startWorker(t, nginx.FolderVariable+"="+folder)
			answer := w.ask(prepareRequest(t, nil))
			message, _ := answer["message"].(string)
			if answer["kind"] != "unavailable" || !strings.Contains(message, "root") {
				t.Error(answer)
			}
		})
	}
}

func foreignFile(path string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(path, nil, 0o644); err != nil {
		return err
	}
	return os.Chown(path, nobody, nobody)
}

func TestAsRootNoFileIsPutWhereOthersCouldSwapIt(t *testing.T) {
	needRoot(t)
	temporary := openFolder(t)
	if err := os.Chown(temporary, nobody, nobody); err != nil {
		t.Fatal(err)
	}
	w := startWorker(t, "TMPDIR="+temporary)
	answer := w.ask(prepareRequest(t, nil))
	message, _ := answer["message"].(string)
	if !strings.Contains(message, "does not belong to root") || !strings.Contains(message, "TMPDIR") {
		t.Error(answer)
	}
	if left := files(t, temporary); left != nil {
		t.Errorf("files left: %v", left)
	}
}
