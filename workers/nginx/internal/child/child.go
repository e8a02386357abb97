// Package child starts processes that end with this one, however it ends.
package child

import (
	"os/exec"
	"runtime"
	"syscall"
)

// Start starts a command, which the kernel sends a signal when this process has
// ended; the channel is closed when the command has. The kernel looks at the thread that
// started it and not at the process (prctl(2), PR_SET_PDEATHSIG). So that is one that
// does nothing else, and ends only after the command: threads of Go come and go.
func Start(command *exec.Cmd, signal syscall.Signal) (ended <-chan struct{}, err error) {
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: signal}
	started, done := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread()
		err := command.Start()
		started <- err
		if err == nil {
			_ = command.Wait() // how it ended, command.ProcessState says
			close(done)
		}
	}()
	return done, <-started
}
