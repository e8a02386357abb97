package drive

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"syscall"
	"time"

	"sizeup/worker-serve/internal/child"
)

// Handle is the other end of a driver, wherever the driver runs.
type Handle struct {
	Driver  Driver
	orders  *json.Encoder
	input   io.Closer
	reports *json.Decoder
	wait    func() error // waits until the driver has ended; returns why
}

// Local starts a driver in this process.
func Local() (*Handle, error) {
	orderReader, orderWriter := io.Pipe()
	reportReader, reportWriter := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		err := Serve(orderReader, reportWriter)
		reportWriter.Close()
		ended <- err
	}()
	return greet(orderWriter, reportReader, func() error { return <-ended })
}

// A driver ends when its input does; a connection to a hanging one does not.
const endPatience = 5 * time.Second

// By starts a driver on another machine, by a command that connects to it.
func By(command *exec.Cmd) (*Handle, error) {
	theirInput, input, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	defer theirInput.Close()
	output, theirOutput, err := os.Pipe()
	if err != nil {
		input.Close()
		return nil, err
	}
	command.Stdin, command.Stdout = theirInput, theirOutput
	ended, err := child.Start(command, syscall.SIGTERM)
	theirOutput.Close()
	if err != nil {
		input.Close()
		output.Close()
		return nil, err
	}
	return greet(input, output, func() error {
		defer output.Close()
		select {
		case <-ended:
		case <-time.After(endPatience):
			_ = command.Process.Kill()
			<-ended
		}
		if !command.ProcessState.Success() {
			return errors.New(command.ProcessState.String())
		}
		return nil
	})
}

func greet(input io.WriteCloser, output io.Reader, wait func() error) (*Handle, error) {
	h := &Handle{orders: json.NewEncoder(input), input: input, reports: json.NewDecoder(output), wait: wait}
	report, err := h.next("hello")
	if err != nil {
		if ended := h.Close(); ended != nil {
			err = fmt.Errorf("%w; %w", err, ended)
		}
		return nil, err
	}
	if report.Driver == nil {
		_ = h.Close() // the error below is enough
		return nil, errors.New("the client does not identify itself")
	}
	h.Driver = *report.Driver
	return h, nil
}

// Close ends the driver and waits for it.
func (h *Handle) Close() error {
	h.input.Close()
	return h.wait()
}

// Open makes the driver open connections.
func (h *Handle) Open(target Target) error {
	if err := h.orders.Encode(Order{Open: &target}); err != nil {
		return err
	}
	_, err := h.next("opened")
	return err
}

// Fetch makes the driver fetch one answer in full.
func (h *Handle) Fetch() (*Fetched, error) {
	if err := h.orders.Encode(Order{Fetch: true}); err != nil {
		return nil, err
	}
	report, err := h.next("fetched")
	if err == nil && report.Fetched == nil {
		err = errors.New("the client sent no fetched answer")
	}
	return report.Fetched, err
}

// Load makes the driver load the server; started and ended are called when the sample starts and
// ends.
func (h *Handle) Load(load Load, started, ended func()) (*Result, error) {
	if err := h.orders.Encode(Order{Load: &load}); err != nil {
		return nil, err
	}
	if _, err := h.next("started"); err != nil {
		return nil, err
	}
	started()
	if _, err := h.next("ended"); err != nil {
		return nil, err
	}
	ended()
	report, err := h.next("result")
	if err == nil && report.Result == nil {
		err = errors.New("the client sent no result")
	}
	return report.Result, err
}

// next returns the next report, which must be of this event.
func (h *Handle) next(event string) (Report, error) {
	var report Report
	if err := h.reports.Decode(&report); err != nil {
		return report, fmt.Errorf("no %q from the client: %w", event, err)
	}
	switch report.Event {
	case event:
		return report, nil
	case "error":
		if report.IsWrong {
			return report, &WrongAnswer{report.Message}
		}
		return report, errors.New(report.Message)
	}
	return report, fmt.Errorf("the client sent %q, not %q", report.Event, event)
}
