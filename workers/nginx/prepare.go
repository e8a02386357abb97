package main

import (
	"errors"
	"fmt"
	"slices"

	"sizeup/gokit/cpu"
	"sizeup/gokit/launch"
	"sizeup/gokit/process"
	"sizeup/gokit/protocol"
	"sizeup/worker-nginx/internal/drive"
	"sizeup/worker-nginx/internal/server"
	"sizeup/worker-nginx/internal/split"
)

// site is a server and its client, set up for one launch.
type site struct {
	parameters *parameters
	expected   expected
	injectBit  int64 // the bit of an output to flip before a check; negative for none
	cpus       []int // of each thread
	serverCPUs []int
	clientCPUs []int // none where the client is another machine
	server     *server.Server
	client     *drive.Handle
	staircase  *staircase // nil without a search for the rate
}

// prepare does everything before the first sample: it divides the CPUs, starts server and client,
// and verifies two answers.
func prepare(request *protocol.PrepareRequest) (launch.Work, any, error) {
	if request.Operation != https.Name {
		return nil, nil, protocol.UnknownOperation(request.Operation)
	}
	parameters, err := readParameters(request.Parameters)
	if err != nil {
		return nil, nil, err
	}
	site, ready, err := newSite(request, parameters)
	if err != nil {
		return nil, nil, protocol.AsFault(err, protocol.KindInternal).In(https.Name)
	}
	return site, ready, nil
}

func newSite(request *protocol.PrepareRequest, parameters *parameters) (*site, *readyAnswer, error) {
	page, err := readPage(request.Inputs, parameters.answer == "page")
	if err != nil {
		return nil, nil, err
	}
	if err := selfTest(); err != nil {
		return nil, nil, err
	}
	if err := cpu.RestrictProcess(request.CPUs); err != nil {
		return nil, nil, protocol.AsFault(err, protocol.KindResources)
	}
	s := &site{parameters: parameters, expected: parameters.expect(page), injectBit: -1}
	if request.Inject {
		s.injectBit = request.Seed
	}
	s.divide(request)
	ready, err := s.setUp(page)
	if err != nil {
		s.End()
		return nil, nil, err
	}
	return s, ready, nil
}

// readPage reads the only input, if it is needed.
func readPage(files map[string]protocol.InputFile, isNeeded bool) (page []byte, err error) {
	inputs := protocol.NewInputs(files)
	if isNeeded {
		if page, err = inputs.Take("page"); err != nil {
			return nil, err
		}
	}
	return page, inputs.RefuseSpare()
}

// divide divides the CPUs between server and client.
func (s *site) divide(request *protocol.PrepareRequest) {
	for i := range request.Threads {
		s.cpus = append(s.cpus, request.CPUs[i%len(request.CPUs)])
	}
	if s.parameters.client == clientHere {
		s.serverCPUs, s.clientCPUs = split.CPUs(s.cpus, s.parameters.serverPercent)
		return
	}
	for _, number := range s.cpus {
		if !slices.Contains(s.serverCPUs, number) {
			s.serverCPUs = append(s.serverCPUs, number)
		}
	}
}

// setUp starts both sides and verifies two answers.
func (s *site) setUp(page []byte) (*readyAnswer, error) {
	p := s.parameters
	installation, err := server.Find()
	if err != nil {
		return nil, asUnavailable(err)
	}
	client, address, err := startClient(p.client)
	if err != nil {
		return nil, err
	}
	s.client = client
	s.server, err = installation.Start(server.Settings{
		CPUs: s.serverCPUs, Address: address,
		TLS: p.tls, Cipher: p.cipher, Curve: p.curve, BrotliLevel: p.brotliLevel, Page: page,
	})
	if err != nil {
		return nil, asUnavailable(err)
	}
	libraries, err := s.server.About(installation)
	if err != nil {
		return nil, err
	}
	path, status := p.path()
	err = client.Open(drive.Target{
		Address: s.server.Address, Path: path, Status: status, Certificate: string(s.server.Certificate),
		Connections: p.connectionsPerCPU * len(s.serverCPUs), KeptOpen: p.connections == "kept",
		CPUs: s.clientCPUs,
	})
	if err != nil {
		return nil, protocol.AsFault(err, protocol.KindOperationFailed)
	}
	var output protocol.Output
	for range 2 {
		if output, err = s.verify(); err != nil {
			return nil, protocol.AsFault(err, protocol.KindOperationFailed)
		}
	}
	if p.load == "p99" {
		if s.staircase, err = s.findStairs(); err != nil {
			return nil, protocol.AsFault(err, protocol.KindOperationFailed)
		}
	}
	return s.ready(libraries, output)
}

// ready reports no bytes per op: the page is minified and compressed on the wire, so a rate of the
// page's own bytes would mean nothing.
func (s *site) ready(libraries map[string]string, output protocol.Output) (*readyAnswer, error) {
	own, err := process.ResidentBytes("self")
	if err != nil {
		return nil, err
	}
	ofServer, err := s.server.ResidentBytes()
	if err != nil {
		return nil, err
	}
	ready := &readyAnswer{
		ReadyAnswer: protocol.ReadyAnswer{
			Answer: "ready", Protocol: protocol.Number, Worker: workerName,
			Build: describeBuild(libraries), BatchOps: 1, ClockCostNS: cpu.ClockCostNS(),
			ResidentBytes: own + ofServer, Verified: s.expected.phrase, Pulse: cpu.PulseKernels,
		},
		Parts: []part{{"server", s.serverCPUs}, {"client", append([]int{}, s.clientCPUs...)}},
	}
	ready.SetOutput(output)
	if p := s.parameters; p.load == "rate" {
		rate := p.ratePerCPU * int64(len(s.serverCPUs))
		ready.FixedRate = &rate
	}
	return ready, nil
}

// End ends NGINX and the client.
func (s *site) End() {
	if s.client != nil {
		_ = s.client.Close() // its work is done
	}
	if s.server != nil {
		s.server.Stop()
	}
}

func isUnavailable(err error) bool {
	_, is := errors.AsType[*server.Unavailable](err)
	return is
}

// asUnavailable gives errors about this machine their kind, and a hint.
func asUnavailable(err error) error {
	if isUnavailable(err) {
		return protocol.Faultf(protocol.KindUnavailable, "%s", err).Advise(server.Remedy)
	}
	return fmt.Errorf("NGINX: %w", err)
}
