package main

import (
	"bytes"
	"io"
	"strings"
)

// messages are what ssh and a remote shell report, without the names that they report it with. A
// configuration file can make any host and user of an alias, and a host can greet with anything, so
// nothing else that they write is passed on.
var messages = []string{
	"Permission denied",
	"Too many authentication failures",
	"Host key verification failed",
	"REMOTE HOST IDENTIFICATION HAS CHANGED",
	"Could not resolve hostname",
	"Connection refused",
	"Connection timed out",
	"Connection closed",
	"Connection reset",
	"No route to host",
	"Network is unreachable",
	"not responding",
	"Broken pipe",
	"Bad configuration option",
	"No such file or directory",
	"Exec format error",
	"not found",
}

// longestMessage is more than any message of ssh takes.
const longestMessage = 4096

const leftOut = "ssh: more messages, left out because they may name a host: see `ssh -o BatchMode=yes HOST`"

// knownMessages passes on the known ones of the messages that it gets, because what workers write to
// stderr can get into a run file. Messages may come in pieces.
type knownMessages struct {
	to         io.Writer
	unfinished []byte
	hasLeftOut bool
}

func (k *knownMessages) Write(text []byte) (int, error) {
	k.unfinished = append(k.unfinished, text...)
	for {
		line, rest, isWhole := bytes.Cut(k.unfinished, []byte("\n"))
		if !isWhole {
			break
		}
		k.unfinished = rest
		if err := k.pass(line); err != nil {
			return 0, err
		}
	}
	if len(k.unfinished) > longestMessage {
		k.unfinished = nil
		return len(text), k.leaveOut()
	}
	return len(text), nil
}

func (k *knownMessages) pass(line []byte) error {
	for _, message := range messages {
		if bytes.Contains(line, []byte(message)) {
			_, err := io.WriteString(k.to, "ssh: "+message+"\n")
			return err
		}
	}
	if strings.TrimSpace(string(line)) == "" {
		return nil
	}
	return k.leaveOut()
}

func (k *knownMessages) leaveOut() error {
	if k.hasLeftOut {
		return nil
	}
	k.hasLeftOut = true
	_, err := io.WriteString(k.to, leftOut+"\n")
	return err
}
