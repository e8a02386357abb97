package drive

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"

	"fortio.org/log"

	"sizeup/gokit/cpu"
	"sizeup/gokit/process"
)

// FortioModule is the load generator whose clients send the requests.
const FortioModule = "fortio.org/fortio"

// Version identifies the build of a driver: both machines must have the same one.
func Version() string {
	return runtime.Version() + ", " + FortioModule + " " + process.ModuleVersion(FortioModule)
}

// Serve carries out orders until there are no more, or one fails. If the orders end in the middle
// of a load, Serve ends too, because nobody waits for its result.
func Serve(in io.Reader, out io.Writer) error {
	log.SetLogLevelQuiet(log.Error) // fortio reports failures on stderr
	orders, failed := make(chan *Order), make(chan error, 1)
	go func() { failed <- readOrders(in, orders) }()
	d := &driver{reports: json.NewEncoder(out)}
	if err := d.reports.Encode(Report{Event: "hello", Driver: describe()}); err != nil {
		return err
	}
	for {
		select {
		case order := <-orders:
			done := make(chan error, 1)
			go func() { done <- d.obey(order) }()
			select {
			case err := <-done:
				if err != nil {
					return err
				}
			case err := <-failed:
				return err
			}
		case err := <-failed:
			return err
		}
	}
}

// readOrders reads until the end of input, which is not an error.
func readOrders(in io.Reader, orders chan<- *Order) error {
	decoder := json.NewDecoder(bufio.NewReader(in))
	decoder.DisallowUnknownFields()
	for {
		order := &Order{}
		if err := decoder.Decode(order); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("cannot read an order: %w", err)
		}
		orders <- order
	}
}

// describe describes this driver. sshd reports the address from which the other machine connects.
func describe() *Driver {
	seen, _, _ := strings.Cut(os.Getenv("SSH_CONNECTION"), " ")
	return &Driver{Version: Version(), CPUCount: runtime.NumCPU(), SeenFrom: seen}
}

type driver struct {
	reports *json.Encoder
	client  client
}

// client is open connections to a server.
type client interface {
	// closedLoop makes every connection send its next request as soon as it has an answer.
	closedLoop(load *Load, report func(event string)) (*Result, error)
	// fixedRate sends requests when they are due.
	fixedRate(load *Load, report func(event string)) (*Result, error)
	// fetch gets answers that the other end checks, while there is no load.
	fetch() (*Fetched, error)
}

// obey carries out an order. It reports an error to the other end, and returns one only if the
// report fails.
func (d *driver) obey(order *Order) error {
	report, err := d.carryOut(order)
	if err != nil {
		_, isWrong := errors.AsType[*WrongAnswer](err)
		report = &Report{Event: "error", Message: err.Error(), IsWrong: isWrong}
	}
	return d.reports.Encode(report)
}

func (d *driver) carryOut(order *Order) (*Report, error) {
	switch {
	case order.Open != nil:
		return d.open(order.Open)
	case d.client == nil:
		return nil, errors.New("no connections are open")
	case order.Fetch:
		fetched, err := d.client.fetch()
		return &Report{Event: "fetched", Fetched: fetched}, err
	case order.Load != nil:
		loop := d.client.closedLoop
		if order.Load.RatePer1000S > 0 {
			loop = d.client.fixedRate
		}
		result, err := loop(order.Load, func(event string) {
			_ = d.reports.Encode(Report{Event: event}) // sending the result will fail in the same way
		})
		return &Report{Event: "result", Result: result}, err
	}
	return nil, errors.New("an empty order")
}

func (d *driver) open(target *Target) (*Report, error) {
	cpus := len(target.CPUs)
	if cpus == 0 {
		cpus = runtime.NumCPU()
	} else if err := cpu.RestrictProcess(target.CPUs); err != nil {
		return nil, err
	}
	runtime.GOMAXPROCS(cpus)
	client, err := open(target, cpus)
	if err != nil {
		return nil, err
	}
	d.client = client
	return &Report{Event: "opened"}, nil
}

func open(target *Target, cpus int) (client, error) {
	switch {
	case target.HTTP != nil:
		if err := Offer(target.HTTP.Curve); err != nil {
			return nil, err
		}
		if target.HTTP.HTTP2Streams > 0 {
			return openHTTP2(target, cpus)
		}
		return openHTTP(target, cpus)
	case target.KeyValue != nil:
		return openKeyValue(target.KeyValue, target.Connections, cpus)
	case target.SQL != nil:
		return openSQL(target.SQL, target.Connections, cpus)
	}
	return nil, errors.New("a target without a protocol")
}
