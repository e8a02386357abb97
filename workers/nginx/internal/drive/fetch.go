package drive

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"time"
)

// A page has 30 KB, and comes through a line of 1 MiB at most.
const mostBody = 512 << 10

// fetch asks for one answer, by Go's own client and on a connection of its own,
// and gives all of it. A first connection shows whether the server lets the second one
// take up its session.
func fetch(target *Target) (*Fetched, error) {
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM([]byte(target.Certificate)) {
		return nil, errors.New("the certificate can't be read")
	}
	transport := &http.Transport{
		DisableKeepAlives:  true,
		DisableCompression: true, // what comes is looked at as it comes
		TLSClientConfig:    &tls.Config{RootCAs: roots, ClientSessionCache: tls.NewLRUClientSessionCache(1)},
	}
	client := &http.Client{
		Transport:     transport,
		Timeout:       30 * time.Second,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	if _, err := fetchOnce(client, target); err != nil {
		return nil, err
	}
	return fetchOnce(client, target)
}

func fetchOnce(client *http.Client, target *Target) (*Fetched, error) {
	request, err := http.NewRequest(http.MethodGet, "https://"+target.Address+target.Path, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept-Encoding", "br")
	answer, err := client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(io.LimitReader(answer.Body, mostBody))
	if err != nil {
		return nil, err
	}
	return &Fetched{
		TLS:             tls.VersionName(answer.TLS.Version),
		Cipher:          tls.CipherSuiteName(answer.TLS.CipherSuite),
		Curve:           answer.TLS.CurveID.String(),
		Resumed:         answer.TLS.DidResume,
		Status:          answer.StatusCode,
		ContentType:     answer.Header.Get("Content-Type"),
		ContentEncoding: answer.Header.Get("Content-Encoding"),
		Location:        answer.Header.Get("Location"),
		Body:            body,
	}, nil
}
