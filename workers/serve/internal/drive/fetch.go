package drive

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"time"
)

// A page has 30 KB, and must arrive in at most 1 MiB.
const mostBody = 512 << 10

func (c *httpClient) fetch() (*Fetched, error) { return fetchHTTP(c.target) }

// fetchHTTP requests one answer, by Go's own client and on a connection of its own, and returns all of
// it. A first connection shows whether the server lets the second one resume its session.
func fetchHTTP(target *Target) (*Fetched, error) {
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM([]byte(target.HTTP.Certificate)) {
		return nil, errors.New("cannot read the certificate")
	}
	transport := &http.Transport{
		DisableKeepAlives:  true,
		DisableCompression: true, // the body is checked as sent
		TLSClientConfig:    &tls.Config{RootCAs: roots, ClientSessionCache: tls.NewLRUClientSessionCache(1)},
	}
	if target.HTTP.HTTP2Streams > 0 {
		transport.Protocols = &http.Protocols{}
		transport.Protocols.SetHTTP2(true)
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
	request, err := http.NewRequest(http.MethodGet, "https://"+target.HTTP.Address+target.HTTP.Path, nil)
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
		Protocol:        answer.Proto,
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
