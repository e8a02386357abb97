package drive

import (
	"context"
	"fmt"
	"net/http"
	"sync/atomic"
	"time"

	"fortio.org/fortio/fhttp"
)

// connection is a fortio client that sends one request after another.
type connection struct {
	fetcher fhttp.Fetcher
	target  *Target
	size    int64        // of the first answer
	ops     atomic.Int64 // right answers
	_       [64]byte     // the next connection's counter is on another cache line
}

// An overloaded server answers late, a hanging one never.
const requestPatience = 30 * time.Second

// A page with another timestamp may compress to slightly more or less.
const sizeSpare = 64

func newConnection(target *Target, id int) (*connection, error) {
	options := fhttp.NewHTTPOptions("https://" + target.HTTP.Address + target.HTTP.Path)
	options.ID = id
	options.HTTPReqTimeOut = requestPatience
	// The check in fetch.go verifies the certificate. Doing so for each connection would only cost
	// the client time.
	options.Insecure = true
	options.DisableKeepAlive = !target.HTTP.KeptOpen
	// fortio's fast client closes a connection after an answer that is not a success; the one over
	// net/http keeps it.
	options.DisableFastClient = target.HTTP.Status != http.StatusOK
	if err := options.AddAndValidateExtraHeader("Accept-Encoding: br"); err != nil {
		return nil, err
	}
	fetcher, err := fhttp.NewClient(options)
	if err != nil {
		return nil, err
	}
	return &connection{fetcher: fetcher, target: target}, nil
}

// op is one request and its answer, checked by status and length.
func (c *connection) op() error {
	status, size, _ := c.fetcher.StreamFetch(context.Background())
	if err := c.target.HTTP.check(status, size, &c.size); err != nil {
		return err
	}
	c.ops.Add(1)
	return nil
}

// check checks an answer by its status, and by the length of the connection's first one, which is 0 before.
func (t *HTTPTarget) check(status int, size int64, first *int64) error {
	switch {
	case status != t.Status:
		return fmt.Errorf("the answer has status %d, not %d", status, t.Status)
	case *first == 0:
		*first = size
	case size < *first-sizeSpare || size > *first+sizeSpare:
		return fmt.Errorf("the answer has %d bytes, an earlier one has %d", size, *first)
	}
	return nil
}

// check checks that a kept-open connection stayed open: fortio silently makes a new one if the
// server ends it.
func (c *connection) check() error {
	if _, made := c.fetcher.GetIPAddress(); c.target.HTTP.KeptOpen && made.Count != 1 {
		return fmt.Errorf("the server ended a kept-open connection: the client made %d connections", made.Count)
	}
	return nil
}
