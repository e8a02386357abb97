package server

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
)

// What NGINX wrote is kept up to this many lines: enough for a message, whatever
// the load.
const keptLines = 20

// output is NGINX's stderr: lines that tell that a worker is ready, and those
// that tell what is wrong.
type output struct {
	ready         chan int // process numbers of workers
	reader, write *os.File
	lock          sync.Mutex
	lines         []string
	ended         chan struct{} // closed when nothing more can come
}

func newOutput(command *exec.Cmd) (*output, error) {
	reader, write, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	command.Stdout, command.Stderr = write, write
	// Workers may be replaced as often as they end: never wait for a taker.
	o := &output{ready: make(chan int, 4096), reader: reader, write: write, ended: make(chan struct{})}
	go o.read()
	return o, nil
}

// started lets go of the end that is NGINX's now.
func (o *output) started() { o.write.Close() }

// close ends the reading, should a process that was left behind hold the other
// end.
func (o *output) close() { o.reader.Close() }

func (o *output) read() {
	defer close(o.ended)
	lines := bufio.NewScanner(o.reader)
	for lines.Scan() {
		line := lines.Text()
		if pid, isReady := readyWorker(line); isReady {
			select {
			case o.ready <- pid:
			default:
			}
			continue
		}
		o.lock.Lock()
		o.lines = append(o.lines, line)
		if len(o.lines) > keptLines {
			o.lines = o.lines[1:]
		}
		o.lock.Unlock()
	}
}

// readyWorker reads the line that the configuration has each worker write.
func readyWorker(line string) (pid int, isReady bool) {
	rest, isReady := strings.CutPrefix(line, "sizeup: worker ")
	number, isReady2 := strings.CutSuffix(rest, " is ready")
	pid, err := strconv.Atoi(number)
	return pid, isReady && isReady2 && err == nil
}

// last is what NGINX wrote last.
func (o *output) last() string {
	o.lock.Lock()
	defer o.lock.Unlock()
	if len(o.lines) == 0 {
		return "it wrote nothing"
	}
	return strings.Join(o.lines, "; ")
}

// whyNot is the error of an NGINX that ended before it was ready. What this
// machine lacks is told from what is wrong with us.
func (o *output) whyNot() error {
	<-o.ended
	said := o.last()
	for _, lacks := range []string{
		"unknown directive", "is not binary compatible", "dlopen() ", "failed to load the 'resty.core' module",
		"cannot open shared object file",
	} {
		if strings.Contains(said, lacks) {
			return unavailable("this NGINX can't do the work: %s", said)
		}
	}
	return fmt.Errorf("NGINX did not start: %s", said)
}
