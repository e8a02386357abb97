// Package child starts processes that end with this one, however it ends.
package child

import (
	"os/exec"
	"runtime"
	"syscall"

	"sizeup/gokit/cpu"
)

// Start starts a command that the kernel signals when this process ends; the channel is closed when
// the command has ended. The kernel follows the thread that started the command, not the process
// (prctl(2), PR_SET_PDEATHSIG). So a dedicated thread starts it and ends only after the command,
// because threads of Go come and go.
func Start(command *exec.Cmd, signal syscall.Signal) (ended <-chan struct{}, err error) {
	return StartOn(nil, command, signal)
}

// StartOn starts a command, as Start does, on some of the CPUs only; nil: on those of this process.
func StartOn(cpus []int, command *exec.Cmd, signal syscall.Signal) (ended <-chan struct{}, err error) {
	if command.SysProcAttr == nil {
		command.SysProcAttr = &syscall.SysProcAttr{}
	}
	command.SysProcAttr.Pdeathsig = signal
	started, done := make(chan error), make(chan struct{})
	go func() {
		runtime.LockOSThread()
		err := startFrom(cpus, command)
		started <- err
		if err == nil {
			_ = command.Wait() // command.ProcessState has the outcome
			close(done)
		}
	}()
	return done, <-started
}

// startFrom restricts the calling thread, from which the command inherits it.
func startFrom(cpus []int, command *exec.Cmd) error {
	if cpus != nil {
		if err := cpu.RestrictThread(cpus); err != nil {
			return err
		}
	}
	return command.Start()
}
