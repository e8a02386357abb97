package daemon

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"sizeup/worker-serve/internal/child"
)

// A server with files of its own has a keeper: this program once more, in a session of its own, which
// makes the folder, starts the server, and removes the folder when the worker has ended, however it
// ended. If the keeper is killed the kernel ends the server, and the worker removes the folder.

// KeeperArgument makes this program a keeper.
const KeeperArgument = "--keep"

// Keeping is what a keeper is to do. FolderWord in arguments stands for the folder.
type Keeping struct {
	Places    []string   `json:"places"` // the first one with room gets the folder
	RoomBytes int64      `json:"room_bytes"`
	Prefix    string     `json:"prefix"` // of the folder's name
	Setup     [][]string `json:"setup"`  // commands that come first, with their programs
	Server    []string   `json:"server"`
}

// FolderWord is the folder in the arguments of a Keeping.
const FolderWord = "{folder}"

// kept is a report of a keeper, a line of JSON.
type kept struct {
	Folder  string `json:"folder,omitempty"`
	Pid     int    `json:"pid,omitempty"`     // of the server
	Missing string `json:"missing,omitempty"` // what this machine does not have
	Remedy  string `json:"remedy,omitempty"`  // with missing
	Failed  string `json:"failed,omitempty"`
}

// Kept is a running server with its keeper.
type Kept struct {
	Folder string
	keeper *Process
	input  io.Closer
	server int // process number
}

// Keep starts a keeper on these CPUs, and by it the server, and waits until that was started.
func Keep(name string, keeping Keeping, cpus []int) (*Kept, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	order, err := json.Marshal(keeping)
	if err != nil {
		return nil, err
	}
	command := exec.Command(program, KeeperArgument)
	command.Env, command.Dir = Environment(), "/"
	// A terminal's signals are not for it.
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	command.WaitDelay = time.Second
	input, err := command.StdinPipe()
	if err != nil {
		return nil, err
	}
	output, theirs, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer output.Close()
	process := &Process{name: name, command: command, output: &tail{}}
	command.Stdout, command.Stderr = theirs, process.output
	const none = syscall.Signal(0) // it outlives us
	process.ended, err = child.StartOn(cpus, command, none)
	theirs.Close()
	if err != nil {
		return nil, err
	}
	k := &Kept{keeper: process, input: input}
	if _, err := input.Write(append(order, '\n')); err != nil {
		k.Stop()
		return nil, err
	}
	if err := k.await(output); err != nil {
		k.Stop()
		return nil, err
	}
	return k, nil
}

// await reads the keeper's reports until the server was started.
func (k *Kept) await(reports *os.File) error {
	const patience = time.Minute // on a busy machine initdb takes many seconds
	if err := reports.SetReadDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	lines := bufio.NewScanner(reports)
	for lines.Scan() {
		var report kept
		if err := json.Unmarshal(lines.Bytes(), &report); err != nil {
			return err
		}
		switch {
		case report.Missing != "":
			return Missing(report.Remedy, "%s", report.Missing)
		case report.Failed != "":
			return fmt.Errorf("%s: %s: %s", k.keeper.name, report.Failed, k.keeper.output.last())
		case report.Folder != "":
			k.Folder = report.Folder
		case report.Pid != 0:
			k.server = report.Pid
			return nil
		}
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("%s did not start within %v: %w", k.keeper.name, patience, err)
	}
	return fmt.Errorf("%s did not start: %s", k.keeper.name, k.keeper.output.last())
}

// Await waits until the server answers.
func (k *Kept) Await(question func() error) error { return k.keeper.Await(question) }

// Check is an error if the server or its keeper has ended.
func (k *Kept) Check() error { return k.keeper.Check() }

// CPUNS is the CPU time of the server and its children in ns.
func (k *Kept) CPUNS() (int64, error) {
	processes, err := k.processes()
	if err != nil {
		return 0, err
	}
	return CPUNS(processes)
}

// ResidentBytes is their resident memory; what they share counts for each.
func (k *Kept) ResidentBytes() (int64, error) {
	processes, err := k.processes()
	if err != nil {
		return 0, err
	}
	return ResidentBytes(processes)
}

func (k *Kept) processes() ([]int, error) {
	children, err := childrenOf(k.server)
	return append(children, k.server), err
}

// childrenOf is the kernel's list of a process's children.
func childrenOf(pid int) ([]int, error) {
	list, err := os.ReadFile(fmt.Sprintf("/proc/%d/task/%d/children", pid, pid))
	if err != nil {
		return nil, err
	}
	var children []int
	for word := range strings.FieldsSeq(string(list)) {
		if number, err := strconv.Atoi(word); err == nil {
			children = append(children, number)
		}
	}
	return children, nil
}

// Stop makes the keeper end the server and remove its folder, and waits until it has.
func (k *Kept) Stop() {
	_ = k.input.Close() // this is the order
	select {
	case <-k.keeper.ended:
	case <-time.After(2 * endPatience):
		_ = k.keeper.command.Process.Kill()
		<-k.keeper.ended
	}
	// Nothing is left of it, unless the keeper was killed.
	for deadline := time.Now().Add(endPatience); k.Folder != ""; time.Sleep(10 * time.Millisecond) {
		err := os.RemoveAll(k.Folder)
		if err == nil && !isRunning(k.server) || time.Now().After(deadline) {
			return
		}
	}
}

func isRunning(pid int) bool { return pid != 0 && unix.Kill(pid, 0) != unix.ESRCH }

// keeper is this process, as a keeper.
type keeper struct {
	keeping Keeping
	user    *syscall.Credential
	folder  string
	over    <-chan struct{} // closed when the worker wants the end, or has ended
	reports *json.Encoder
}

// ServeAsKeeper is a keeper's whole life.
func ServeAsKeeper(in io.Reader, out io.Writer) error {
	signal.Ignore(syscall.SIGINT, syscall.SIGHUP, syscall.SIGPIPE)
	// Children of a server that was killed become ours, so that none is left.
	if err := unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0); err != nil {
		return err
	}
	orders := bufio.NewReader(in)
	line, err := orders.ReadBytes('\n')
	if err != nil {
		return err
	}
	over := make(chan struct{})
	k := &keeper{over: over, reports: json.NewEncoder(out)}
	if err := json.Unmarshal(line, &k.keeping); err != nil {
		return err
	}
	terminated := make(chan os.Signal, 1)
	signal.Notify(terminated, syscall.SIGTERM)
	read := make(chan struct{})
	go func() {
		_, _ = io.Copy(io.Discard, orders) // the end of it, however it comes
		close(read)
	}()
	go func() {
		select {
		case <-terminated:
		case <-read:
		}
		close(over)
	}()
	err = k.keep()
	if missing, is := errors.AsType[*Unavailable](err); is {
		return k.reports.Encode(kept{Missing: missing.What, Remedy: missing.Remedy})
	}
	if err != nil {
		return errors.Join(err, k.reports.Encode(kept{Failed: Printable(err.Error())}))
	}
	return nil
}

func (k *keeper) keep() (err error) {
	if k.user, err = User(); err != nil {
		return err
	}
	if err := k.makeFolder(); err != nil {
		return err
	}
	before, isSetUp := sharedOfPostgreSQL(), false
	defer func() {
		k.endChildren()
		err = errors.Join(err, os.RemoveAll(k.folder))
		if !isSetUp {
			k.removeShared(before)
		}
	}()
	if err := k.reports.Encode(kept{Folder: k.folder}); err != nil {
		return err
	}
	for _, words := range k.keeping.Setup {
		command, ended, err := k.start(words, syscall.SIGKILL)
		if err != nil {
			return err
		}
		select {
		case <-k.over:
			return nil
		case <-ended:
			if !command.ProcessState.Success() {
				return fmt.Errorf("%s ended with %v", filepath.Base(words[0]), command.ProcessState)
			}
		}
	}
	isSetUp = true
	// PostgreSQL ends at once by it, with all of its processes.
	command, ended, err := k.start(k.keeping.Server, syscall.SIGQUIT)
	if err != nil {
		return err
	}
	if err := k.reports.Encode(kept{Pid: command.Process.Pid}); err != nil {
		return err
	}
	defer k.removeSegment(command.Process.Pid)
	select {
	case <-ended:
		return nil
	case <-k.over:
	}
	_ = command.Process.Signal(syscall.SIGQUIT) // it may have ended already
	select {
	case <-ended:
	case <-time.After(endPatience):
		_ = command.Process.Kill()
		<-ended
	}
	return nil
}

// makeFolder makes a folder that belongs to the server's user and that nobody else can enter, in
// memory if there is room.
func (k *keeper) makeFolder() error {
	var why []string
	for _, place := range k.keeping.Places {
		var room unix.Statfs_t
		if err := unix.Statfs(place, &room); err != nil {
			why = append(why, fmt.Sprintf("%s: %v", place, err))
			continue
		}
		if free := int64(room.Bavail) * int64(room.Bsize); free < k.keeping.RoomBytes {
			why = append(why, fmt.Sprintf("%s has %d MiB free", place, free>>20))
			continue
		}
		folder, err := os.MkdirTemp(place, k.keeping.Prefix)
		if err == nil {
			err = k.give(folder)
		}
		if err == nil {
			k.folder = folder
			return nil
		}
		why = append(why, err.Error())
		_ = os.Remove(folder) // it is empty, or not there
	}
	return Missing("make room in "+strings.Join(k.keeping.Places, " or ")+", or set TMPDIR to a folder with more",
		"no folder with %d MiB of room for a server's files: %s", k.keeping.RoomBytes>>20, strings.Join(why, "; "))
}

// give gives a folder to the server's user, if it is still the one that we made.
func (k *keeper) give(folder string) error {
	if k.user == nil {
		return nil
	}
	opened, err := unix.Open(folder, unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer unix.Close(opened)
	var status unix.Stat_t
	if err := unix.Fstat(opened, &status); err != nil {
		return err
	}
	if status.Uid != 0 || status.Mode&0o7777 != 0o700 {
		return fmt.Errorf("somebody has put another folder in the place of %s", folder)
	}
	return unix.Fchown(opened, int(k.user.Uid), int(k.user.Gid))
}

// start starts a command of the server's user in the folder.
func (k *keeper) start(words []string, atDeath syscall.Signal) (*exec.Cmd, <-chan struct{}, error) {
	var all []string
	for _, word := range words {
		all = append(all, strings.ReplaceAll(word, FolderWord, k.folder))
	}
	command := exec.Command(all[0], all[1:]...)
	command.Env, command.Dir = Environment(), k.folder
	command.Stdout, command.Stderr = os.Stderr, os.Stderr
	command.SysProcAttr = &syscall.SysProcAttr{Credential: k.user}
	ended, err := child.Start(command, atDeath)
	return command, ended, err
}

// endChildren kills and awaits what a server has left.
func (k *keeper) endChildren() {
	for deadline := time.Now().Add(endPatience); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		var found []int
		tasks, _ := filepath.Glob("/proc/self/task/*/children")
		for _, task := range tasks {
			list, _ := os.ReadFile(task) // a thread that has ended has none
			for word := range strings.FieldsSeq(string(list)) {
				if pid, err := strconv.Atoi(word); err == nil {
					found = append(found, pid)
				}
			}
		}
		if found == nil {
			return
		}
		for _, pid := range found {
			_ = unix.Kill(pid, unix.SIGKILL)
			_, _ = unix.Wait4(pid, nil, unix.WNOHANG, nil)
		}
	}
}

// removeSegment removes the shared memory of a PostgreSQL that was killed: it has a segment of System V
// by which it recognises others in its folder. Its file names it, and what the file says is believed
// only of a segment that the server itself made.
func (k *keeper) removeSegment(server int) {
	content, err := os.ReadFile(filepath.Join(k.folder, "data", "postmaster.pid"))
	if err != nil {
		return // it ended by itself
	}
	const line = 6
	lines := strings.Split(string(content), "\n")
	if len(lines) <= line {
		return
	}
	words := strings.Fields(lines[line])
	if len(words) != 2 {
		return
	}
	id, err := strconv.Atoi(words[1])
	if err != nil {
		return
	}
	var segment unix.SysvShmDesc
	if _, err := unix.SysvShmCtl(id, unix.IPC_STAT, &segment); err != nil || int(segment.Cpid) != server {
		return
	}
	_, _ = unix.SysvShmCtl(id, unix.IPC_RMID, nil) // nothing more can be done
}

func sharedOfPostgreSQL() []string {
	found, _ := filepath.Glob("/dev/shm/PostgreSQL.*") // the pattern is well formed
	return found
}

// removeShared removes the shared memory of an initdb that was killed, which has files in /dev/shm whatever the
// settings of its server are: those that were not there before, that belong to the server's user, and that no
// process has mapped.
func (k *keeper) removeShared(before []string) {
	owner := uint32(os.Geteuid())
	if k.user != nil {
		owner = k.user.Uid
	}
	var maps strings.Builder
	for _, path := range sharedOfPostgreSQL() {
		var status unix.Stat_t
		if slices.Contains(before, path) || unix.Lstat(path, &status) != nil || status.Uid != owner {
			continue
		}
		if maps.Len() == 0 {
			of, _ := filepath.Glob("/proc/[0-9]*/maps")
			for _, file := range of {
				mapped, _ := os.ReadFile(file) // a process of another user has none of these files
				maps.Write(mapped)
			}
		}
		if !strings.Contains(maps.String(), path+"\n") {
			_ = os.Remove(path) // nothing more can be done
		}
	}
}
