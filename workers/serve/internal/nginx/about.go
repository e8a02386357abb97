package nginx

import (
	"bufio"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Libraries are those whose versions only the running NGINX reports.
var Libraries = []string{"luajit", "ngx_lua", "resty.core", "openssl", "brotli"}

// About asks the running NGINX for the versions of its libraries: library → version, as the linked
// code itself reports it.
func (s *Server) About(in *Installation) (map[string]string, error) {
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(s.Certificate)
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport, Timeout: 10 * time.Second}
	answer, err := client.Get("https://" + s.Address + "/about")
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("NGINX answers /about with %s: %s", answer.Status, s.output.last())
	}
	versions := map[string]string{"nginx": in.Version}
	lines := bufio.NewScanner(io.LimitReader(answer.Body, 1<<16))
	for lines.Scan() {
		if name, version, isPair := strings.Cut(lines.Text(), "="); isPair {
			versions[name] = version
		}
	}
	if err := in.addBrotli(versions); err != nil {
		return nil, err
	}
	for _, name := range Libraries {
		if versions[name] == "" {
			return nil, fmt.Errorf("NGINX does not report the version of %s", name)
		}
	}
	return versions, lines.Err()
}

// addBrotli adds the digest of the module where brotli is linked statically, so that its version is
// unavailable.
func (in *Installation) addBrotli(versions map[string]string) error {
	for _, path := range append(in.modules, in.program) {
		if versions["brotli"] != "" {
			return nil
		}
		if strings.Contains(filepath.Base(path), "brotli") || path == in.program {
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			digest := sha256.Sum256(content)
			versions["brotli"] = "in " + filepath.Base(path) + ", SHA-256 " + hex.EncodeToString(digest[:8])
		}
	}
	return nil
}
