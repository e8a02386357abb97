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

// Version tells drivers that do the same from others: both machines must have the
// same build.
func Version() string {
	return runtime.Version() + ", " + FortioModule + " " + process.ModuleVersion(FortioModule)
}

// Serve carries out orders until there are no more, or one fails. When the orders
// end in the middle of a load, so does Serve: nobody waits for its result.
func Serve(in io.Reader, out io.Writer) error {
	log.SetLogLevelQuiet(log.Error) // what fortio has to say of failures goes to stderr
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

// readOrders reads until the end, which is no error.
func readOrders(in io.Reader, orders chan<- *Order) error {
	decoder := json.NewDecoder(bufio.NewReader(in))
	decoder.DisallowUnknownFields()
	for {
		order := &Order{}
		if err := decoder.Decode(order); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return fmt.Errorf("an order can't be read: %w", err)
		}
		orders <- order
	}
}

// describe says what this driver is. sshd tells by which address our machine is
// seen from here.
func describe() *Driver {
	seen, _, _ := strings.Cut(os.Getenv("SSH_CONNECTION"), " ")
	return &Driver{Version: Version(), CPUCount: runtime.NumCPU(), SeenFrom: seen}
}

type driver struct {
	reports *json.Encoder
	client  *client
}

// obey carries out an order; an error is reported, and is returned only when
// nobody can be told.
func (d *driver) obey(order *Order) error {
	report, err := d.carryOut(order)
	if err != nil {
		report = &Report{Event: "error", Message: err.Error()}
	}
	return d.reports.Encode(report)
}

func (d *driver) carryOut(order *Order) (*Report, error) {
	switch {
	case order.Open != nil:
		return d.open(order.Open)
	case d.client == nil:
		return nil, errors.New("nothing was opened")
	case order.Fetch:
		fetched, err := fetch(d.client.target)
		return &Report{Event: "fetched", Fetched: fetched}, err
	case order.Load != nil:
		loop := d.client.closedLoop
		if order.Load.RatePer1000S > 0 {
			loop = d.client.fixedRate
		}
		result, err := loop(order.Load, func(event string) {
			_ = d.reports.Encode(Report{Event: event}) // the result will meet the same error
		})
		return &Report{Event: "result", Result: result}, err
	}
	return nil, errors.New("an order to do nothing")
}

func (d *driver) open(target *Target) (*Report, error) {
	cpus := len(target.CPUs)
	if cpus == 0 {
		cpus = runtime.NumCPU()
	} else if err := cpu.RestrictProcess(target.CPUs); err != nil {
		return nil, err
	}
	runtime.GOMAXPROCS(cpus)
	var err error
	d.client, err = open(target, cpus)
	return &Report{Event: "opened"}, err
}
