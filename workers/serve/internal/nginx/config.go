package nginx

import (
	_ "embed"
	"fmt"
	"net"
	"slices"
	"strings"
	"text/template"
)

//go:embed nginx.conf.tmpl
var configText string

var configTemplate = template.Must(template.New("nginx.conf").Parse(configText))

// Settings is the configuration of a server.
type Settings struct {
	CPUs        []int  // one worker on each
	Address     net.IP // where it listens
	TLS         string // "1.2" or "1.3", no other version
	Cipher      string // the only one
	Curve       string // of the key exchange
	HTTP2       bool
	BrotliLevel int64
	Page        []byte
}

type config struct {
	Modules                          []string
	User, AffinityMasks, Folder      string
	Protocol, Suites, Ciphers, Curve string
	LuaPath, Listen                  string
	Workers                          int
	HTTP2                            bool
	Brotli                           int64
}

func (in *Installation) config(s Settings, folder, listen, user string) (string, error) {
	for _, path := range append([]string{folder, in.luaPath}, in.modules...) {
		if strings.ContainsAny(path, "\"\\$\n") {
			return "", fmt.Errorf("NGINX's configuration cannot contain the path %q", path)
		}
	}
	c := config{
		Modules: in.modules, User: user, AffinityMasks: affinityMasks(s.CPUs), Folder: folder,
		Protocol: "TLSv" + s.TLS, Curve: s.Curve,
		LuaPath: in.luaPath, Listen: listen, Workers: len(s.CPUs), HTTP2: s.HTTP2, Brotli: s.BrotliLevel,
	}
	switch s.TLS {
	case "1.2":
		c.Ciphers = s.Cipher
	case "1.3":
		c.Suites = s.Cipher
	}
	var text strings.Builder
	err := configTemplate.Execute(&text, c)
	return text.String(), err
}

// affinityMasks is a mask for each worker, highest CPU first, as NGINX expects them.
func affinityMasks(cpus []int) string {
	width := slices.Max(cpus) + 1
	masks := make([]string, len(cpus))
	for i, cpu := range cpus {
		mask := []byte(strings.Repeat("0", width))
		mask[width-1-cpu] = '1'
		masks[i] = string(mask)
	}
	return strings.Join(masks, " ")
}
