package nginx

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"

	"sizeup/worker-serve/internal/daemon"
)

// NGINX's output is kept up to this many lines: enough for a message, whatever the load.
const keptLines = 20

// output is NGINX's stderr: lines that report a ready worker, and errors.
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
	// Workers may be replaced as often as they end: never block on the reader of this channel.
	o := &output{ready: make(chan int, 4096), reader: reader, write: write, ended: make(chan struct{})}
	go o.read()
	return o, nil
}

// started closes the end of the pipe that NGINX now has.
func (o *output) started() { o.write.Close() }

// close ends the reading, in case a process that was left behind holds the other end.
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

// readyWorker parses the line that the configuration makes each worker write.
func readyWorker(line string) (pid int, isReady bool) {
	rest, isReady := strings.CutPrefix(line, "sizeup: worker ")
	number, isReady2 := strings.CutSuffix(rest, " is ready")
	pid, err := strconv.Atoi(number)
	return pid, isReady && isReady2 && err == nil
}

// last returns the last lines that NGINX wrote.
func (o *output) last() string {
	o.lock.Lock()
	defer o.lock.Unlock()
	if len(o.lines) == 0 {
		return "no output"
	}
	return strings.Join(o.lines, "; ")
}

// whyNot is the error of an NGINX that ended before it was ready. It distinguishes what this
// machine does not have from our own mistakes.
func (o *output) whyNot() error {
	<-o.ended
	output := o.last()
	if strings.Contains(output, `curves_list("X25519MLKEM768") failed`) {
		return daemon.Missing("install an NGINX with OpenSSL 3.5 or newer, such as that of Debian 13",
			"this NGINX's OpenSSL does not have the key exchange X25519MLKEM768: %s", output)
	}
	for _, missing := range []string{
		"unknown directive", "is not binary compatible", "dlopen() ", "failed to load the 'resty.core' module",
		"cannot open shared object file", "requires ngx_http_v2_module",
	} {
		if strings.Contains(output, missing) {
			return unavailable("this NGINX cannot run the workload: %s", output)
		}
	}
	return fmt.Errorf("NGINX did not start: %s", output)
}
