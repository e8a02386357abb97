package protocol

// Operation is one operation of a worker, as the manifest lists it. The same declaration checks a
// request's parameters.
type Operation struct {
	Name       string   `json:"operation"` // with the implementation: gzip-reused/klauspost
	Parameters Ranges   `json:"parameters"`
	Inputs     []string `json:"inputs"`
}

// Declare makes an operation; without parameters or inputs they are nil.
func Declare(name string, parameters Ranges, inputs ...string) Operation {
	if parameters == nil {
		parameters = Ranges{}
	}
	// Neither is null in the manifest.
	return Operation{Name: name, Parameters: parameters, Inputs: append([]string{}, inputs...)}
}

// UnknownOperation is the fault of a request for an operation that the worker does not have.
func UnknownOperation(name string) *Fault {
	return Faultf(KindUnknownOperation, "this worker has no operation %q", name).
		Advise("--list shows its operations")
}
