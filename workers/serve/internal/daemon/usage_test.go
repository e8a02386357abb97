package daemon

import (
	"os"
	"os/exec"
	"testing"
)

func TestAProcessThatHasEndedHasNoMemory(t *testing.T) {
	ended := exec.Command("true")
	if err := ended.Run(); err != nil {
		t.Fatal(err)
	}
	bytes, err := ResidentBytes([]int{os.Getpid(), ended.Process.Pid})
	if err != nil || bytes <= 0 {
		t.Errorf("%d bytes, %v", bytes, err)
	}
}
