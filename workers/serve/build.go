package main

import (
	"maps"
	"os"
	"runtime"

	"sizeup/gokit/process"
	"sizeup/gokit/protocol"
	"sizeup/worker-serve/internal/drive"
)

// version is the worker's own.
const version = "0.1.0"

// linkFlags is the linker's flags, set by the build: a program built with -trimpath does not know
// its -ldflags.
var linkFlags string

// environment is the Go settings that this program was started with.
var environment = func() (flags string) {
	for _, name := range []string{"GOGC", "GOMEMLIMIT", "GODEBUG"} {
		if value := os.Getenv(name); value != "" {
			flags += " env " + name + "=" + value
		}
	}
	return flags
}()

// describeBuild describes this program, and the libraries of a server.
func describeBuild(ofServer map[string]string) protocol.Build {
	libraries := map[string]string{"go": runtime.Version()} // the client's
	maps.Copy(libraries, ofServer)
	flags := "CGO_ENABLED=0 -trimpath=true"
	if linkFlags != "" {
		flags += " link " + linkFlags
	}
	return protocol.Build{
		Version:   version,
		Compiler:  runtime.Version(),
		Flags:     flags + environment,
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

// manifest returns, after the self-test, the worker's build and operations. It has the libraries of the
// servers that are installed; a launch of another reports why it cannot run.
func manifest() (*protocol.ListAnswer, error) {
	if err := selfTest(); err != nil {
		return nil, err
	}
	answer := &protocol.ListAnswer{
		Answer: "list", Protocol: protocol.Number, Worker: workerName, Build: describeBuild(nil),
	}
	for _, service := range services {
		now, late, err := service.libraries()
		if err != nil && !isUnavailable(err) {
			return nil, err
		}
		maps.Copy(answer.Build.Libraries, now)
		answer.Build.LateLibraries = append(answer.Build.LateLibraries, late...)
		answer.Operations = append(answer.Operations, service.operation)
	}
	return answer, nil
}
