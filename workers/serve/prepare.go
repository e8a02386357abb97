package main

import (
	"slices"

	"sizeup/gokit/cpu"
	"sizeup/gokit/launch"
	"sizeup/gokit/process"
	"sizeup/gokit/protocol"
	"sizeup/worker-serve/internal/drive"
	"sizeup/worker-serve/internal/split"
)

// site is a server and its client, set up for one launch.
type site struct {
	operation  string
	parameters *common
	plan       *plan
	injectBit  int64 // the bit of an output to flip before a check; negative for none
	cpus       []int // of each thread
	serverCPUs []int
	clientCPUs []int // none where the client is another machine
	server     running
	client     *drive.Handle
	staircase  *staircase // nil without a search for the rate
}

// prepare does everything before the first sample: it divides the CPUs, starts server and client,
// and verifies two answers.
func prepare(request *protocol.PrepareRequest) (launch.Work, any, error) {
	service, err := serviceOf(request.Operation)
	if err != nil {
		return nil, nil, err
	}
	parameters, values, err := service.read(request.Parameters)
	if err != nil {
		return nil, nil, err
	}
	site, ready, err := newSite(request, service, parameters, values)
	if err != nil {
		return nil, nil, blameMemory(protocol.AsFault(asFault(err), protocol.KindInternal)).In(request.Operation)
	}
	return site, ready, nil
}

func newSite(request *protocol.PrepareRequest, service *service, parameters *common, values protocol.Parameters) (*site, *readyAnswer, error) {
	inputs := protocol.NewInputs(request.Inputs)
	plan, err := service.plan(request, values, inputs)
	if err != nil {
		return nil, nil, err
	}
	if err := inputs.RefuseSpare(); err != nil {
		return nil, nil, err
	}
	if err := selfTest(); err != nil {
		return nil, nil, err
	}
	if err := cpu.RestrictProcess(request.CPUs); err != nil {
		return nil, nil, protocol.AsFault(err, protocol.KindResources)
	}
	s := &site{operation: request.Operation, parameters: parameters, plan: plan, injectBit: -1}
	if request.Inject {
		s.injectBit = request.Seed
	}
	s.divide(request)
	ready, err := s.setUp()
	if err != nil {
		s.End()
		return nil, nil, err
	}
	return s, ready, nil
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
func (s *site) setUp() (*readyAnswer, error) {
	p := s.parameters
	client, address, err := startClient(p.client)
	if err != nil {
		return nil, err
	}
	s.client = client
	server, target, libraries, err := s.plan.start(s.serverCPUs, address)
	if err != nil {
		return nil, err
	}
	s.server = server
	target.Connections, target.CPUs = p.connectionsPerCPU*len(s.serverCPUs), s.clientCPUs
	if err := client.Open(*target); err != nil {
		return nil, s.blame(err)
	}
	var output protocol.Output
	for range 2 {
		if output, err = s.verify(); err != nil {
			return nil, s.blame(err)
		}
	}
	if p.load == "p99" {
		if s.staircase, err = s.findStairs(); err != nil {
			return nil, s.blame(err)
		}
	}
	return s.ready(libraries, output)
}

// blame is the fault of a failure: the server's own, where it has ended, because its client only sees
// a closed connection.
func (s *site) blame(err error) *protocol.Fault {
	if checked := s.server.Check(); checked != nil {
		err = checked
	}
	return protocol.AsFault(asFault(err), protocol.KindOperationFailed)
}

// ready reports no bytes per op: what crosses the wire is no measure of a server's work (NGINX minifies and
// compresses its page).
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
			ResidentBytes: own + ofServer, Verified: s.plan.expected.phrase, Pulse: cpu.PulseKernels,
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

// End ends the server and the client.
func (s *site) End() {
	if s.client != nil {
		_ = s.client.Close() // its work is done
	}
	if s.server != nil {
		s.server.Stop()
	}
}
