package main

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"

	"sizeup/gokit/protocol"
	"sizeup/worker-serve/internal/drive"
)

// remote is "ssh HOST" or "ssh HOST:FOLDER", where FOLDER is the release's folder on that host. A
// host begins with a letter or digit, so that ssh cannot take it for an option; neither contains
// anything that a shell interprets, but for a ~/ at FOLDER's beginning.
var remote = regexp.MustCompile(`^ssh ((?:[A-Za-z0-9_][A-Za-z0-9_.-]*@)?[A-Za-z0-9][A-Za-z0-9.-]*)(?::(~?/[A-Za-z0-9/._+-]*))?$`)

// here is where a client on this machine reaches a server.
var here = net.IPv4(127, 0, 0, 1)

func isRemote(client string) bool { return len(client) < 512 && remote.MatchString(client) }

// startClient starts the client where the parameter says, and returns the address at which it
// reaches this machine.
func startClient(where string) (*drive.Handle, net.IP, error) {
	if where == clientHere {
		handle, err := drive.Local()
		return handle, here, err
	}
	parts := remote.FindStringSubmatch(where)
	host, folder := parts[1], parts[2]
	program, err := os.Executable()
	if err != nil {
		return nil, nil, err
	}
	if folder != "" {
		program = filepath.Join(folder, "libexec/sizeup", workerName)
	}
	if strings.ContainsFunc(strings.TrimPrefix(program, "~/"), func(r rune) bool { return !strings.ContainsRune(plainInAShell, r) }) {
		return nil, nil, protocol.Faultf(protocol.KindBadRequest, "the path %q has characters that a remote shell would interpret", program).
			Advise("name the release's folder on that host: --client HOST:/FOLDER")
	}
	command := exec.Command("ssh", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10",
		"-o", "ServerAliveInterval=5", "--", host, program+" --drive")
	command.Stderr = &knownMessages{to: os.Stderr} // ssh reports its errors there
	handle, err := drive.By(command)
	if err != nil {
		return nil, nil, unreachable("%v", err)
	}
	if err := checkClient(handle.Driver); err != nil {
		handle.Close()
		return nil, nil, err
	}
	return handle, net.ParseIP(handle.Driver.SeenFrom), nil
}

const plainInAShell = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789/._+-"

func checkClient(driver drive.Driver) error {
	if ours := drive.Version(); driver.Version != ours {
		return unreachable("its client is %s, this worker is %s", driver.Version, ours)
	}
	address := net.ParseIP(driver.SeenFrom)
	if address == nil {
		return unreachable("its sshd does not report the address of this machine (no SSH_CONNECTION)")
	}
	// A socket can only be bound to an address of this machine.
	listener, err := net.Listen("tcp", net.JoinHostPort(driver.SeenFrom, "0"))
	if err != nil {
		return unreachable("it sees this machine at an address that this machine does not have, such as a gateway's")
	}
	return listener.Close()
}

func unreachable(format string, args ...any) error {
	return protocol.Faultf(protocol.KindUnavailable, "the other machine cannot be the client: "+format, args...).
		Advise("make sure that `ssh -o BatchMode=yes HOST` works and that the same release is there (--client HOST:/FOLDER); " +
			"stderr says what ssh reported, without names")
}
