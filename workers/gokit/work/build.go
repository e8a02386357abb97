package work

import (
	"os"
	"runtime"
	"strings"

	"sizeup/gokit/process"
	"sizeup/gokit/protocol"
)

// librariesNamed is these libraries with their versions.
func (w *Worker) librariesNamed(names []string) map[string]string {
	versions := w.Libraries()
	libraries := make(map[string]string, len(names))
	for _, name := range names {
		libraries[name] = versions[name]
	}
	return libraries
}

// Build describes the running program, with these libraries.
func (w *Worker) Build(libraries map[string]string) protocol.Build {
	paths := map[string]string{}
	if w.Paths != nil {
		paths = w.Paths()
	}
	return protocol.Build{
		Version:   w.Version,
		Compiler:  runtime.Version(),
		Flags:     buildFlags(w.LinkFlags),
		Target:    runtime.GOOS + "/" + runtime.GOARCH,
		Libraries: libraries,
		Paths:     paths,
	}
}

// buildFlags is how the program was compiled, and the settings in its environment that change how
// Go runs it.
func buildFlags(linkFlags string) string {
	var flags []string
	if info, ok := process.BuildInfo(); ok {
		for _, setting := range info.Settings {
			switch setting.Key {
			case "-trimpath", "-gcflags", "-ldflags", "-tags", "-pgo", "-race",
				"CGO_ENABLED", "GOEXPERIMENT", "GOFIPS140", "DefaultGODEBUG":
				flags = append(flags, setting.Key+"="+setting.Value)
			case "GOAMD64", "GOARM64":
				// Only what exceeds the architecture's baseline, so that builds for two
				// architectures have the same flags.
				if setting.Value != "v1" && setting.Value != "v8.0" {
					flags = append(flags, setting.Key+"="+setting.Value)
				}
			}
		}
	}
	if linkFlags != "" {
		flags = append(flags, "link "+linkFlags)
	}
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		if value := os.Getenv(name); value != "" {
			flags = append(flags, "env "+name+"="+value)
		}
	}
	if value := withoutCPU(os.Getenv("GODEBUG")); value != "" {
		flags = append(flags, "env GODEBUG="+value)
	}
	return strings.Join(flags, " ")
}

// withoutCPU leaves out what switches instruction sets off: that makes another CPU and no other
// build, and instructionPaths tells what follows from it.
func withoutCPU(godebug string) string {
	var kept []string
	for setting := range strings.SplitSeq(godebug, ",") {
		if !strings.HasPrefix(setting, "cpu.") {
			kept = append(kept, setting)
		}
	}
	return strings.Join(kept, ",")
}
