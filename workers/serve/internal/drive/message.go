// Package drive is the client: it opens connections to a server, loads it and counts answers. It is
// driven by messages, one JSON object a line, so that it can run in this process or on another
// machine.
package drive

import "fmt"

// Order is an order to a driver; exactly one field is set.
type Order struct {
	Open  *Target `json:"open,omitempty"`
	Fetch bool    `json:"fetch,omitempty"`
	Load  *Load   `json:"load,omitempty"`
}

// Target is a server, and what is requested of it: exactly one of the last fields is set.
type Target struct {
	Connections int             `json:"connections"`
	CPUs        []int           `json:"cpus"` // none: all available ones
	HTTP        *HTTPTarget     `json:"http,omitempty"`
	KeyValue    *KeyValueTarget `json:"key_value,omitempty"`
	SQL         *SQLTarget      `json:"sql,omitempty"`
}

// HTTPTarget is the request, and how to connect.
type HTTPTarget struct {
	Address     string `json:"address"` // with the port
	Path        string `json:"path"`
	Status      int    `json:"status"`      // of a correct answer
	Certificate string `json:"certificate"` // PEM
	KeptOpen    bool   `json:"kept_open"`   // or new for each request
	// HTTP2Streams is how many requests are under way at once on each connection, over HTTP/2; 0 for HTTP/1.1.
	HTTP2Streams int    `json:"http2_streams"`
	Curve        string `json:"curve"` // of the key exchange
}

// Load is a stretch of load.
type Load struct {
	WarmupNS int64 `json:"warmup_ns"` // uncounted, at least
	SampleNS int64 `json:"sample_ns"` // counted, at least
	LeastOps int64 `json:"least_ops"`
	// RatePer1000S is the number of requests due in 1,000 s, evenly spaced. 0: each connection
	// sends its next request as soon as it has an answer.
	RatePer1000S int64 `json:"rate_per_1000s"`
}

// Report is a message of a driver. `hello` comes first. `opened`, `fetched` or `error` follows an
// order; `started`, `ended` and `result` follow a load, the first two at the moment itself.
type Report struct {
	Event   string   `json:"event"`
	Message string   `json:"message,omitempty"`
	IsWrong bool     `json:"is_wrong,omitempty"` // with error: the server gave a wrong answer
	Fetched *Fetched `json:"fetched,omitempty"`
	Result  *Result  `json:"result,omitempty"`
	Driver  *Driver  `json:"driver,omitempty"` // with hello
}

// Driver is a driver's description of itself.
type Driver struct {
	Version  string `json:"version"`
	CPUCount int    `json:"cpu_count"`           // available to it
	SeenFrom string `json:"seen_from,omitempty"` // this machine's address as the driver sees it, if by SSH
}

// Fetched is one answer in full. Only HTTP has more than a body.
type Fetched struct {
	Protocol        string `json:"protocol"`
	TLS             string `json:"tls"`
	Cipher          string `json:"cipher"`
	Curve           string `json:"curve"`
	Resumed         bool   `json:"resumed"` // whether a second connection resumed the first one's session
	Status          int    `json:"status"`
	ContentType     string `json:"content_type"`
	ContentEncoding string `json:"content_encoding"`
	Location        string `json:"location"`
	Body            []byte `json:"body"`
}

// Result is the result of a load.
type Result struct {
	Ops       int64 `json:"ops"`        // answers within elapsed_ns
	ElapsedNS int64 `json:"elapsed_ns"` // of the sample
	CPUNS     int64 `json:"cpu_ns"`     // of this process in that time
	DueOps    int64 `json:"due_ops"`    // at a rate: requests that were due in the sample
	// Latency is the time from when each of these was due until its answer arrived: lower end of a
	// bucket in ns, count.
	Latency [][2]int64 `json:"latency,omitempty"`
}

// WrongAnswer is the error of an answer that is not what the server was asked for.
type WrongAnswer struct{ What string }

func (w *WrongAnswer) Error() string { return w.What }

func wrong(format string, args ...any) error { return &WrongAnswer{fmt.Sprintf(format, args...)} }
