package main

import (
	"maps"
	"net"
	"os"
	"runtime"

	"sizeup/gokit/cpu"
	"sizeup/gokit/process"
	"sizeup/gokit/protocol"
	"sizeup/worker-nginx/internal/drive"
	"sizeup/worker-nginx/internal/server"
)

// version is the worker's own.
const version = "0.1.0"

// linkFlags is the linker's flags, set by the build: a program built with -trimpath does not know
// its -ldflags.
var linkFlags string

// describeBuild describes this program, and the server's libraries where there is a server.
func describeBuild(ofServer map[string]string) protocol.Build {
	libraries := map[string]string{
		"go":     runtime.Version(),
		"fortio": process.ModuleVersion(drive.FortioModule),
	}
	maps.Copy(libraries, ofServer)
	flags := "CGO_ENABLED=0 -trimpath=true"
	if linkFlags != "" {
		flags += " link " + linkFlags
	}
	for _, name := range []string{"GOGC", "GOMEMLIMIT", "GODEBUG"} {
		if value := os.Getenv(name); value != "" {
			flags += " env " + name + "=" + value
		}
	}
	return protocol.Build{
		Version:   version,
		Compiler:  runtime.Version(),
		Flags:     flags,
		Target:    runtime.GOOS + "/" + runtime.GOARCH,
		Libraries: libraries,
		Paths:     map[string]string{},
	}
}

// selfTest proves that the version of the load generator is known. The server reports its own
// libraries, and its answers are checked.
func selfTest() error {
	if process.ModuleVersion(drive.FortioModule) == "" {
		return protocol.Faultf(protocol.KindWrongAnswer, "self-test: the version of %s is unknown", drive.FortioModule).
			Advise("rebuild the worker with the modules of go.mod")
	}
	return nil
}

// manifest returns, after the self-test, the worker's build and operations. Without an NGINX it has
// none of NGINX's libraries; each launch then reports why it cannot run. As root it does not start
// NGINX: listing must not run a server as root.
func manifest() (*protocol.ListAnswer, error) {
	if err := selfTest(); err != nil {
		return nil, err
	}
	installation, err := server.Find()
	if err != nil && !isUnavailable(err) {
		return nil, err
	}
	build := describeBuild(nil)
	switch {
	case err != nil:
	case server.WouldBeRoot():
		build.Libraries["nginx"] = installation.Version
		build.LateLibraries = server.Libraries
	default:
		ofServer, err := askServer(installation)
		if err != nil && !isUnavailable(err) {
			return nil, err
		}
		build = describeBuild(ofServer)
	}
	return &protocol.ListAnswer{
		Answer: "list", Protocol: protocol.Number, Worker: workerName, Build: build, Operations: []protocol.Operation{https},
	}, nil
}

// askServer starts NGINX for a moment to read the versions of its libraries.
func askServer(installation *server.Installation) (map[string]string, error) {
	cpus, err := cpu.Allowed()
	if err != nil {
		return nil, err
	}
	started, err := installation.Start(server.Settings{
		CPUs: cpus[:1], Address: net.IPv4(127, 0, 0, 1),
		TLS: "1.2", Cipher: "ECDHE-ECDSA-AES128-GCM-SHA256", Curve: "X25519", BrotliLevel: 5,
	})
	if err != nil {
		return nil, err
	}
	defer started.Stop()
	return started.About(installation)
}
