// Package daemon finds installed servers, starts them where nobody else reaches them, watches them and
// ends them. What it starts never runs as root.
package daemon

import (
	"bytes"
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// How long a program may take to report its version.
const versionPatience = 10 * time.Second

// No report of a version is longer.
const longestVersion = 4096

// AppsVariable names a folder with unpacked servers and their libraries, as `make apps` makes it. They come before
// installed ones.
const AppsVariable = "SIZEUP_APPS"

// Program is an installed server.
type Program struct {
	Name        string // of the file
	Path        string // links are kept: some programs go by the name that they are called by
	Version     string
	environment []string // beside Environment: where the libraries of an unpacked one are
}

// Find looks for the first of these names, in the folder of SIZEUP_APPS, in PATH and then in folders, of which patterns with a number
// stand for the highest one. It runs the program with --version, and the pattern's groups are its
// version.
func Find(names, folders []string, version *regexp.Regexp, remedy string) (*Program, error) {
	apps := os.Getenv(AppsVariable)
	var candidates []string
	if apps != "" {
		if _, err := os.Stat(apps); err != nil {
			return nil, Missing("name the folder of this architecture that `make apps` has made, by its whole path, or unset "+AppsVariable,
				"cannot read the folder of %s: %v", AppsVariable, err)
		}
		for _, name := range names {
			candidates = append(candidates, filepath.Join(apps, "usr/bin", name))
		}
	}
	for i, name := range append(candidates, names...) {
		path, err := lookUp(name, folders)
		if err != nil {
			continue
		}
		var environment []string
		if i < len(candidates) {
			libraries, _ := filepath.Glob(filepath.Join(apps, "usr/lib/*-linux-gnu")) // the pattern is well formed
			environment = []string{"LD_LIBRARY_PATH=" + strings.Join(libraries, ":")}
		}
		output, err := report(path, environment, "--version")
		if err != nil {
			return nil, Missing(remedy, "%s does not report its version: %v", path, err)
		}
		found := version.FindStringSubmatch(output)
		if found == nil {
			return nil, Missing(remedy, "%s reports a version that is not known: %s", path, Printable(output))
		}
		return &Program{
			Name: filepath.Base(name), Path: path, Version: Printable(strings.Join(found[1:], ", ")), environment: environment,
		}, nil
	}
	return nil, Missing(remedy, "no %s on this machine", strings.Join(names, " and no "))
}

func lookUp(name string, folders []string) (string, error) {
	if path, err := exec.LookPath(name); err == nil {
		return filepath.Abs(path)
	}
	for _, pattern := range folders {
		found, _ := filepath.Glob(filepath.Join(pattern, name)) // the pattern is well formed
		slices.SortFunc(found, func(a, b string) int { return numberIn(b) - numberIn(a) })
		for _, path := range found {
			if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() && info.Mode()&0o111 != 0 {
				return path, nil
			}
		}
	}
	return "", exec.ErrNotFound
}

var firstNumber = regexp.MustCompile(`\d{1,6}`)

func numberIn(path string) int {
	number, _ := strconv.Atoi(firstNumber.FindString(path)) // none: 0
	return number
}

// report runs a program for a moment, as the user that servers run as, and returns what it writes.
func report(path string, environment []string, arguments ...string) (string, error) {
	user, err := User()
	if err != nil {
		return "", err
	}
	patience, cancel := context.WithTimeout(context.Background(), versionPatience)
	defer cancel()
	command := exec.CommandContext(patience, path, arguments...)
	command.Env, command.Dir = append(Environment(), environment...), "/"
	command.SysProcAttr = &syscall.SysProcAttr{Credential: user}
	command.WaitDelay = time.Second // a child of its own may keep the pipe open
	var output limited
	command.Stdout, command.Stderr = &output, &output
	err = command.Run()
	if err != nil && patience.Err() != nil {
		err = errors.New("no answer within " + versionPatience.String())
	}
	return output.text.String(), err
}

// Environment is all that servers get of ours.
func Environment() []string { return []string{"PATH=/usr/bin:/bin", "LANG=C", "LC_ALL=C", "TZ=UTC"} }

// limited keeps the beginning of what is written to it.
type limited struct{ text bytes.Buffer }

func (l *limited) Write(text []byte) (int, error) {
	l.text.Write(text[:min(len(text), longestVersion-l.text.Len())])
	return len(text), nil
}

// Printable is a server's text for messages: one line of printable ASCII, at most 300 bytes.
func Printable(text string) string {
	const longest = 300
	var plain strings.Builder
	for _, r := range strings.TrimSpace(text) {
		switch {
		case plain.Len() >= longest:
			return plain.String() + "..."
		case r == '\n' || r == '\t':
			plain.WriteByte(' ')
		case r < ' ' || r > '~':
			plain.WriteByte('?')
		default:
			plain.WriteRune(r)
		}
	}
	return plain.String()
}
