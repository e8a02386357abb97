package daemon

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"sizeup/worker-serve/internal/child"
)

// How long a server may take to start, and to end after a signal.
const (
	startPatience = 20 * time.Second
	endPatience   = 10 * time.Second
)

// Process is a running server.
type Process struct {
	name    string
	command *exec.Cmd
	ended   <-chan struct{} // closed when it has ended
	output  *tail
}

// Settings is how a server is started.
type Settings struct {
	Arguments []string
	Stdin     io.Reader  // nil for none
	Files     []*os.File // that it inherits, from 3
	CPUs      []int      // all that it may use
}

// Start starts a program that the kernel kills when this process ends, and that has no more rights
// than User.
func (p *Program) Start(settings Settings) (*Process, error) {
	user, err := User()
	if err != nil {
		return nil, err
	}
	command := exec.Command(p.Path, settings.Arguments...)
	command.Env, command.Dir = append(Environment(), p.environment...), "/"
	command.Stdin, command.ExtraFiles = settings.Stdin, settings.Files
	command.SysProcAttr = &syscall.SysProcAttr{Credential: user}
	command.WaitDelay = time.Second
	s := &Process{name: p.Name, command: command, output: &tail{}}
	command.Stdout, command.Stderr = s.output, s.output
	if s.ended, err = child.StartOn(settings.CPUs, command, syscall.SIGKILL); err != nil {
		return nil, fmt.Errorf("cannot start %s: %w", p.Path, err)
	}
	return s, nil
}

// Pid is its process number.
func (s *Process) Pid() int { return s.command.Process.Pid }

// Await waits until a server answers: until the question, which is asked again and again, has no error.
func (s *Process) Await(question func() error) error {
	const pause = 10 * time.Millisecond
	for deadline := time.Now().Add(startPatience); ; time.Sleep(pause) {
		err := question()
		if err == nil {
			return s.Check()
		}
		if ended := s.Check(); ended != nil {
			return ended
		}
		if time.Now().After(deadline) {
			return fmt.Errorf("%s does not answer after %v: %w (%s)", s.name, startPatience, err, s.output.last())
		}
	}
}

// Check is an error if the server has ended.
func (s *Process) Check() error {
	select {
	case <-s.ended:
		return &Ended{fmt.Sprintf("%s has ended: %s", s.name, s.output.last()), s.output.last()}
	default:
		return nil
	}
}

// Ended is the error of a server that has ended, with its last lines.
type Ended struct{ message, Output string }

func (e *Ended) Error() string { return e.message }

// Stop ends the server and waits until it has ended.
func (s *Process) Stop() {
	_ = s.command.Process.Signal(syscall.SIGTERM) // it may have ended already
	select {
	case <-s.ended:
	case <-time.After(endPatience):
		_ = s.command.Process.Kill()
		<-s.ended
	}
}

// tail keeps the last lines of a server's output.
type tail struct {
	lock  sync.Mutex
	lines []string
	part  []byte // of a line without an end
}

func (t *tail) Write(text []byte) (int, error) {
	const mostLines, longestLine = 20, 2048
	t.lock.Lock()
	defer t.lock.Unlock()
	for _, b := range text {
		switch {
		case b != '\n' && len(t.part) < longestLine:
			t.part = append(t.part, b)
		case b == '\n':
			t.lines = append(t.lines, string(t.part))
			t.lines, t.part = t.lines[max(0, len(t.lines)-mostLines):], t.part[:0]
		}
	}
	return len(text), nil
}

func (t *tail) last() string {
	t.lock.Lock()
	defer t.lock.Unlock()
	const shown = 3
	lines := t.lines
	if len(t.part) > 0 {
		lines = append(lines[:len(lines):len(lines)], string(t.part))
	}
	if len(lines) == 0 {
		return "no output"
	}
	return Printable(strings.Join(lines[max(0, len(lines)-shown):], "; "))
}

// OnFreePort calls start with a free port of an address, and with others if another process took it
// in between.
func OnFreePort(address net.IP, start func(port int) error) error {
	const tries = 5
	var err error
	for range tries {
		var listener net.Listener
		if listener, err = net.Listen("tcp", net.JoinHostPort(address.String(), "0")); err != nil {
			return err
		}
		port := listener.Addr().(*net.TCPAddr).Port
		if err = listener.Close(); err != nil {
			return err
		}
		err = start(port)
		ended, hasEnded := errors.AsType[*Ended](err)
		if !hasEnded || !strings.Contains(strings.ToLower(ended.Output), "address already in use") {
			return err
		}
	}
	return fmt.Errorf("no port could be kept in %d tries: %w", tries, err)
}

// JoinPort is an address with its port.
func JoinPort(address net.IP, port int) string {
	return net.JoinHostPort(address.String(), strconv.Itoa(port))
}

// Password is one that nobody can guess.
func Password() string { return rand.Text() + rand.Text() }

// Lines reads a server's output line by line, each of a bounded length.
func Lines(reader io.Reader) *bufio.Scanner {
	lines := bufio.NewScanner(reader)
	lines.Buffer(nil, longestVersion)
	return lines
}

// Group is several servers that are one.
type Group []*Process

// Check is the error of the first that has ended.
func (g Group) Check() error {
	for _, process := range g {
		if err := process.Check(); err != nil {
			return err
		}
	}
	return nil
}

// CPUNS is the CPU time of all in ns.
func (g Group) CPUNS() (int64, error) { return CPUNS(g.pids()) }

// ResidentBytes is their resident memory.
func (g Group) ResidentBytes() (int64, error) { return ResidentBytes(g.pids()) }

// Stop ends all.
func (g Group) Stop() {
	for _, process := range g {
		process.Stop()
	}
}

func (g Group) pids() []int {
	pids := make([]int, len(g))
	for i, process := range g {
		pids[i] = process.Pid()
	}
	return pids
}
