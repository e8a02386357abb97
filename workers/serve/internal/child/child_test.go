package child

import (
	"os/exec"
	"runtime"
	"sync"
	"syscall"
	"testing"
	"time"
)

func TestACommandOutlivesAllOtherThreads(t *testing.T) {
	command := exec.Command("sleep", "1000")
	ended, err := Start(command, syscall.SIGKILL)
	if err != nil {
		t.Fatal(err)
	}
	// Each thread that a goroutine is locked to ends with it; this many at once include every
	// thread of the runtime.
	var atWork sync.WaitGroup
	together := make(chan struct{})
	for range 100 {
		atWork.Go(func() {
			runtime.LockOSThread()
			<-together
		})
	}
	time.Sleep(50 * time.Millisecond)
	close(together)
	atWork.Wait()
	select {
	case <-ended:
		t.Error("the command ended with a thread: ", command.ProcessState)
	case <-time.After(300 * time.Millisecond):
	}
	if err := command.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	<-ended
}

func TestACommandThatCannotStartIsAnError(t *testing.T) {
	if _, err := Start(exec.Command("/nonexistent"), syscall.SIGKILL); err == nil {
		t.Error("it was started")
	}
}
