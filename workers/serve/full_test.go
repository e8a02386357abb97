package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// startInSmall starts a worker for which folders are memory of a size of its own, and returns the first of them, as
// we see it, for as long as the test lasts.
func startInSmall(t *testing.T, size string, folders ...string) (*worker, string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("NOT AVAILABLE, not tested: needs root")
	}
	if os.Getenv("SIZEUP_EMULATED") != "" {
		t.Skip("NOT AVAILABLE, not tested: a shell starts no emulator")
	}
	script := "for folder in " + strings.Join(folders, " ") + "; do mount -t tmpfs -o mode=1777,size=" + size + " none $folder || exit; done; exec \"$0\""
	w := startWorkerBy(t, []string{"unshare", "--mount", "sh", "-c", script, os.Args[0]}, "TMPDIR="+folders[len(folders)-1])
	// Opened, it stays when the worker has ended.
	waitUntil(t, "the worker runs", func() bool {
		return nameOf(strconv.Itoa(w.command.Process.Pid)) == filepath.Base(os.Args[0])[:min(15, len(filepath.Base(os.Args[0])))]
	})
	opened, err := os.Open(fmt.Sprintf("/proc/%d/root%s", w.command.Process.Pid, folders[0]))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { opened.Close() })
	return w, fmt.Sprintf("/proc/self/fd/%d/", opened.Fd())
}

// fill leaves no room in a folder.
func fill(t *testing.T, folder string) {
	t.Helper()
	file, err := os.Create(folder + "filler")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	var room unix.Statfs_t
	if err := unix.Fstatfs(int(file.Fd()), &room); err != nil {
		t.Fatal(err)
	}
	if err := unix.Fallocate(int(file.Fd()), 0, 0, int64(room.Bavail)*int64(room.Bsize)); err != nil {
		t.Fatal(err)
	}
}

func TestAFolderThatIsFullIsNamedAndNothingIsLeftInIt(t *testing.T) {
	w, folder := startInSmall(t, "600m", "/dev/shm")
	w.ready(testPostgres.request(t, map[string]any{"script": "mixed"}))
	processes := descendants(t, w)
	fill(t, folder)
	answer := w.ask(`{"request":"measure","warmup_ns":0,"sample_ns":2000000000}`)
	message, _ := answer["message"].(string)
	if answer["kind"] != "operation-failed" || !strings.Contains(message, "No space left on device") {
		t.Error(answer)
	}
	mustBeGone(t, processes, "")
	if left := files(t, folder); len(left) != 1 {
		t.Errorf("files left: %v", left)
	}
}

func needPostgreSQL(t *testing.T) {
	t.Helper()
	if _, err := findPostgreSQL(); err != nil {
		notAvailable(t, err)
	}
}

func TestWithoutRoomARowSaysHowMuchItNeedsAndWhere(t *testing.T) {
	needPostgreSQL(t)
	temporary := openFolder(t)
	w, _ := startInSmall(t, "64m", "/dev/shm", temporary)
	answer := w.ask(testPostgres.request(t, nil))
	message, _ := answer["message"].(string)
	hint, _ := answer["hint"].(string)
	if answer["kind"] != "unavailable" || !strings.Contains(message, "no folder with 532 MiB") ||
		!strings.Contains(message, "/dev/shm has 64 MiB free") || !strings.Contains(hint, "TMPDIR") {
		t.Error(answer)
	}
}

func TestAFullTMPDIRIsNamedByNGINXsRow(t *testing.T) {
	needRoot(t)
	temporary := openFolder(t)
	w, folder := startInSmall(t, "4k", temporary)
	answer := w.ask(prepareRequest(t, nil))
	message, _ := answer["message"].(string)
	if answer["answer"] != "error" || !strings.Contains(message, "no space left on device") {
		t.Error(answer)
	}
	if left := files(t, folder); left != nil {
		t.Errorf("files left: %v", left)
	}
}

// limitMemory limits the memory of a process and of all that it starts from now on.
func limitMemory(t *testing.T, pid int, bytes int64) {
	t.Helper()
	name := fmt.Sprintf("sizeup-test-%d", pid)
	group, limit := filepath.Join("/sys/fs/cgroup/memory", name), "memory.limit_in_bytes"
	if _, err := os.Stat("/sys/fs/cgroup/cgroup.controllers"); err == nil {
		group, limit = filepath.Join("/sys/fs/cgroup", name), "memory.max"
	}
	if err := os.Mkdir(group, 0o755); err != nil {
		t.Skip("NOT AVAILABLE, not tested: memory can't be limited here: ", err)
	}
	t.Cleanup(func() {
		waitUntil(t, "the group is empty", func() bool { return os.Remove(group) == nil })
	})
	for file, value := range map[string]int64{limit: bytes, "cgroup.procs": int64(pid)} {
		if err := os.WriteFile(filepath.Join(group, file), strconv.AppendInt(nil, value, 10), 0o644); err != nil {
			t.Skip("NOT AVAILABLE, not tested: memory can't be limited here: ", err)
		}
	}
}

func TestAServerThatTheKernelKillsForItsMemoryIsReportedSo(t *testing.T) {
	for _, c := range []struct {
		server  testServer
		changes map[string]any
		limit   int64
	}{
		{testValkey, map[string]any{"keys": 1_000_000}, 100 << 20},
		{testMemcached, map[string]any{"keys": 1_000_000}, 100 << 20},
		{testPostgres, nil, 60 << 20},
	} {
		t.Run(c.server.name, func(t *testing.T) {
			w := startWorker(t)
			limitMemory(t, w.command.Process.Pid, c.limit)
			before := files(t, "/dev/shm")
			answer := w.ask(c.server.request(t, c.changes))
			if answer["kind"] == "unavailable" {
				notAvailable(t, answer["message"])
			}
			message, _ := answer["message"].(string)
			if answer["kind"] != "resources" || !strings.Contains(message, "for lack of memory") {
				t.Error(answer)
			}
			mustBeGone(t, descendants(t, w), "")
			if left := files(t, w.folder); left != nil {
				t.Errorf("files left: %v", left)
			}
			noneIsLeft(t, before)
		})
	}
}

// noneIsLeft waits until PostgreSQL's shared memory that was not there before belongs to a process: other tests have
// databases meanwhile.
func noneIsLeft(t *testing.T, before []string) {
	t.Helper()
	waitUntil(t, "no shared memory is left", func() bool {
		var maps strings.Builder
		of, _ := filepath.Glob("/proc/[0-9]*/maps") // the pattern is well formed
		for _, file := range of {
			mapped, _ := os.ReadFile(file) // of a process that has ended, nothing
			maps.Write(mapped)
		}
		return !slices.ContainsFunc(files(t, "/dev/shm"), func(path string) bool {
			return strings.HasPrefix(filepath.Base(path), "PostgreSQL.") && !slices.Contains(before, path) &&
				!strings.Contains(maps.String(), path+"\n")
		})
	})
}

func TestADatabaseWhoseMakingIsCutShortLeavesNothing(t *testing.T) {
	needPostgreSQL(t)
	w := startWorker(t)
	before := files(t, "/dev/shm")
	if _, err := w.input.WriteString(testPostgres.request(t, nil) + "\n"); err != nil {
		t.Fatal(err)
	}
	var processes []string
	waitUntil(t, "initdb has shared memory", func() bool {
		processes = descendants(t, w)
		shared, _ := filepath.Glob("/dev/shm/PostgreSQL.*")
		return len(shared) > 1 // one is there for a moment, as a trial
	})
	if err := w.command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	mustBeGone(t, processes, "")
	noneIsLeft(t, before)
}
