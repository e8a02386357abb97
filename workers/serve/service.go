package main

import (
	"encoding/json"
	"errors"
	"maps"
	"net"
	"slices"

	"sizeup/gokit/protocol"
	"sizeup/worker-serve/internal/daemon"
	"sizeup/worker-serve/internal/drive"
)

// service is a kind of server that this worker starts and loads: a file of its own, and a line in
// services.
type service struct {
	operation protocol.Operation
	// libraries is, for the manifest, what is known of the installed server without work, and the
	// names of what only a ready reports. A daemon.Unavailable is no failure: there is none here.
	libraries func() (now map[string]string, late []string, err error)
	// plan reads the service's own parameters and inputs.
	plan func(request *protocol.PrepareRequest, values protocol.Parameters, inputs *protocol.Inputs) (*plan, error)
}

// services is every service, in the order of the manifest.
var services = []*service{&nginxService, &valkeyService, &memcachedService, &postgresqlService}

// plan is what a launch does with a server.
type plan struct {
	expected expected
	// start starts the server on these CPUs, at an address of this machine, and returns what its
	// client needs and the versions of its libraries, as it reports them itself. The target's
	// connections and CPUs are set by the caller.
	start func(cpus []int, address net.IP) (running, *drive.Target, map[string]string, error)
	// output is all parts of a fetched answer that matter.
	output func(*drive.Fetched) ([]byte, error)
}

// running is a server that was started.
type running interface {
	Check() error                  // whether it is still the one that was started, and whole
	CPUNS() (int64, error)         // the CPU time of all of its processes
	ResidentBytes() (int64, error) // their memory
	Stop()                         // ends all of it and waits until it has ended
}

// common is the parameters of every service.
type common struct {
	connectionsPerCPU int   // for each of the server's
	serverPercent     int64 // the server's share of the CPUs
	client            string
	load              string // "closed", "rate" or "p99"
	ratePerCPU        int64  // requests/s for each of the server's CPUs, if the load is "rate"
	p99LimitMS        int64  // if it is "p99"
}

// The client parameter for a client on this machine.
const clientHere = "loopback"

// declare makes an operation with the parameters of every service and those of its own.
func declare(name string, own protocol.Ranges, inputs ...string) protocol.Operation {
	ranges := protocol.Ranges{
		"connections_per_server_cpu": protocol.Integers(1, 1024),
		"server_percent":             protocol.Integers(1, 99),
		"client":                     protocol.AnyText(),
		"load":                       protocol.OneOf("closed", "rate", "p99"),
		"rate_per_server_cpu":        protocol.Integers(1, 1_000_000).OrNone(),
		"p99_limit_ms":               protocol.Integers(1, 10_000).OrNone(),
	}
	maps.Copy(ranges, own)
	return protocol.Declare(name, ranges, inputs...)
}

// serviceOf finds the service of a request.
func serviceOf(operation string) (*service, error) {
	at := slices.IndexFunc(services, func(s *service) bool { return s.operation.Name == operation })
	if at < 0 {
		return nil, protocol.UnknownOperation(operation)
	}
	return services[at], nil
}

// read reads a request's parameters, and those of every service among them.
func (s *service) read(raw json.RawMessage) (*common, protocol.Parameters, error) {
	values, err := s.operation.Parameters.Read(raw)
	if err != nil {
		return nil, values, err
	}
	c := &common{
		connectionsPerCPU: values.Integer("connections_per_server_cpu"),
		serverPercent:     int64(values.Integer("server_percent")),
		client:            values.Text("client"),
		load:              values.Text("load"),
		ratePerCPU:        int64(values.Integer("rate_per_server_cpu")),
		p99LimitMS:        int64(values.Integer("p99_limit_ms")),
	}
	return c, values, refuse([]rule{
		{c.client == clientHere || isRemote(c.client), "client must be " + clientHere + " or ssh HOST[:FOLDER]"},
		{(c.load == "rate") == values.Has("rate_per_server_cpu"), "rate_per_server_cpu belongs to load rate, and to no other"},
		{(c.load == "p99") == values.Has("p99_limit_ms"), "p99_limit_ms belongs to load p99, and to no other"},
	})
}

// rule is what must hold between parameters.
type rule struct {
	holds bool
	error string
}

// refuse is the fault of the first rule that does not hold.
func refuse(rules []rule) error {
	for _, rule := range rules {
		if !rule.holds {
			return protocol.Faultf(protocol.KindBadRequest, "parameters: %s", rule.error)
		}
	}
	return nil
}

func isUnavailable(err error) bool {
	_, is := errors.AsType[*daemon.Unavailable](err)
	return is
}

// killedBefore is those that were killed for lack of memory before this one started.
var killedBefore = daemon.KilledForMemory()

// blameMemory says of a failure that memory was short: a server that the kernel kills says nothing itself.
func blameMemory(f *protocol.Fault) *protocol.Fault {
	hasReason := f.Kind != protocol.KindOperationFailed && f.Kind != protocol.KindInternal
	if hasReason || !daemon.KilledForMemory().IsMoreThan(killedBefore) {
		return f
	}
	return protocol.Faultf(protocol.KindResources, "%s; the kernel has killed a process for lack of memory", f.Message).
		Advise("measure with more memory, or with a higher limit of this container or cgroup")
}

// asFault gives errors about this machine, and wrong answers, their kind, and a hint.
func asFault(err error) error {
	if bad, is := errors.AsType[*drive.WrongAnswer](err); is {
		return protocol.Faultf(protocol.KindWrongAnswer, "%s", bad.What)
	}
	if missing, is := errors.AsType[*daemon.Unavailable](err); is {
		return protocol.Faultf(protocol.KindUnavailable, "%s", missing.What).Advise(missing.Remedy)
	}
	return err
}
