package process

import (
	"os"
	"strconv"
	"syscall"
	"testing"
)

func TestResidentMemoryGrowsWithTouchedPages(t *testing.T) {
	const length = 64 << 20
	before, err := ResidentBytes("self")
	if err != nil {
		t.Fatal(err)
	}
	// Not from Go's heap, which may already have room for it.
	touched, err := syscall.Mmap(-1, 0, length, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_ANON|syscall.MAP_PRIVATE)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Munmap(touched) }()
	for i := range touched {
		touched[i] = 1
	}
	after, err := ResidentBytes(strconv.Itoa(os.Getpid()))
	if err != nil {
		t.Fatal(err)
	}
	if after-before < length/2 || after-before > 2*length {
		t.Errorf("from %d to %d bytes by %d", before, after, length)
	}
}

func TestAnEndedProcessHasNoMemory(t *testing.T) {
	if bytes, err := ResidentBytes("0"); err == nil {
		t.Errorf("%d bytes", bytes)
	}
}

func TestAModuleThatIsNotLinkedHasNoVersion(t *testing.T) {
	if version := ModuleVersion("example.org/absent"); version != "" {
		t.Errorf("%s", version)
	}
}
