// Package drive is the client: it opens connections to a server, loads it and
// counts answers. It is driven by messages, a JSON object a line, so that it can
// be in this process or on another machine. It knows no NGINX.
package drive

// Order is what a driver is told to do; exactly one field is set.
type Order struct {
	Open  *Target `json:"open,omitempty"`
	Fetch bool    `json:"fetch,omitempty"`
	Load  *Load   `json:"load,omitempty"`
}

// Target is what is asked of which server, and how.
type Target struct {
	Address     string `json:"address"`
	Path        string `json:"path"`
	Status      int    `json:"status"`      // of a right answer
	Certificate string `json:"certificate"` // PEM
	Connections int    `json:"connections"`
	KeptOpen    bool   `json:"kept_open"` // or new for each request
	CPUs        []int  `json:"cpus"`      // none: all that may be used
}

// Load is a stretch of load.
type Load struct {
	SettleNS int64 `json:"settle_ns"` // uncounted, at least
	WindowNS int64 `json:"window_ns"` // counted, at least
	LeastOps int64 `json:"least_ops"`
	// RatePer1000S is how many requests are due in 1,000 s, evenly spaced. 0: each
	// connection sends its next request as soon as it has an answer.
	RatePer1000S int64 `json:"rate_per_1000s"`
}

// Report is what a driver says. `hello` comes first. `opened`, `fetched` or
// `error` follows an order; `started`, `ended` and `result` follow a load, the
// first two at the moment itself.
type Report struct {
	Event   string   `json:"event"`
	Message string   `json:"message,omitempty"`
	Fetched *Fetched `json:"fetched,omitempty"`
	Result  *Result  `json:"result,omitempty"`
	Driver  *Driver  `json:"driver,omitempty"` // with hello
}

// Driver is what a driver says of itself.
type Driver struct {
	Version  string `json:"version"`
	CPUCount int    `json:"cpu_count"`           // that it may use
	SeenFrom string `json:"seen_from,omitempty"` // the address that we reach it from, if by SSH
}

// Fetched is one answer in full.
type Fetched struct {
	TLS             string `json:"tls"`
	Cipher          string `json:"cipher"`
	Curve           string `json:"curve"`
	Resumed         bool   `json:"resumed"` // whether a second connection took up the first one's session
	Status          int    `json:"status"`
	ContentType     string `json:"content_type"`
	ContentEncoding string `json:"content_encoding"`
	Location        string `json:"location"`
	Body            []byte `json:"body"`
}

// Result is what a load came to.
type Result struct {
	Ops       int64 `json:"ops"`        // answers within elapsed_ns
	ElapsedNS int64 `json:"elapsed_ns"` // of the window
	CPUNS     int64 `json:"cpu_ns"`     // of this process in that time
	DueOps    int64 `json:"due_ops"`    // at a rate: requests that were due in the window
	// Latency is from when each of these was due to when its answer was there:
	// lower end of a bucket in ns, count.
	Latency [][2]int64 `json:"latency,omitempty"`
}
