package drive

import (
	"bytes"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"

	"sizeup/worker-serve/internal/daemon"
)

// resp is the protocol of Valkey and Redis, version 2.
type resp struct{}

func (resp) login(session io.ReadWriter, password string) error {
	_, err := ask(session, "AUTH", password)
	return err
}

func (resp) get(out []byte, key int64) []byte {
	out = append(out, "*2\r\n$3\r\nGET\r\n$16\r\n"...)
	return append(appendKey(out, key), "\r\n"...)
}

func (resp) set(out []byte, key int64, value []byte) []byte {
	out = append(out, "*3\r\n$3\r\nSET\r\n$16\r\n"...)
	out = append(appendKey(out, key), "\r\n$"...)
	out = strconv.AppendInt(out, int64(len(value)), 10)
	out = append(append(out, "\r\n"...), value...)
	return append(out, "\r\n"...)
}

func (resp) answer(in []byte, isSet bool) (read int, value []byte, err error) {
	line, length, err := cutLine(in)
	if length == 0 {
		return 0, nil, err
	}
	switch {
	case isSet && string(line) == "+OK":
		return length, nil, nil
	case string(line) == "$-1":
		return 0, nil, wrong("a key that was set is not there")
	case !isSet && len(line) > 1 && line[0] == '$':
		size, err := number(line[1:])
		if err != nil {
			return 0, nil, err
		}
		value, read, err = cutBlock(in, length, size)
		return read, value, err
	}
	return 0, nil, fmt.Errorf("the server answers %s", daemon.Printable(string(line)))
}

func (resp) counts(session io.ReadWriter) (hits, misses, sets int64, err error) {
	text, err := ask(session, "INFO", "everything")
	if err != nil {
		return 0, 0, 0, err
	}
	hits, misses = infoNumber(text, "keyspace_hits:"), infoNumber(text, "keyspace_misses:")
	sets = infoNumber(text, "cmdstat_set:calls=")
	return hits, misses, sets, nil
}

// infoNumber is the number behind a name at the beginning of a line of INFO; -1 if there is none.
func infoNumber(text, name string) int64 {
	for line := range strings.Lines(text) {
		if rest, is := strings.CutPrefix(line, name); is {
			end := strings.IndexFunc(rest, func(r rune) bool { return r < '0' || r > '9' })
			if value, err := strconv.ParseInt(rest[:max(end, 0)], 10, 64); err == nil {
				return value
			}
		}
	}
	return -1
}

// ServerVersion asks a Valkey or Redis for its version.
func ServerVersion(session *net.TCPConn, password string) (version string, err error) {
	if err := (resp{}).login(session, password); err != nil {
		return "", err
	}
	text, err := ask(session, "INFO", "server")
	if err != nil {
		return "", err
	}
	for line := range strings.Lines(text) {
		for _, name := range []string{"redis", "valkey"} { // Valkey states both, its own last
			if found, has := strings.CutPrefix(line, name+"_version:"); has {
				version = daemon.Printable(found)
			}
		}
	}
	return version, nil
}

// ask sends a command and returns its answer, a line or a block.
func ask(session io.ReadWriter, words ...string) (string, error) {
	command := fmt.Appendf(nil, "*%d\r\n", len(words))
	for _, word := range words {
		command = fmt.Appendf(command, "$%d\r\n%s\r\n", len(word), word)
	}
	if _, err := session.Write(command); err != nil {
		return "", err
	}
	in := newAnswers(session)
	line, err := in.line()
	switch {
	case err != nil:
		return "", err
	case strings.HasPrefix(line, "+"):
		return line[1:], nil
	case strings.HasPrefix(line, "$"):
		size, err := number([]byte(line[1:]))
		if err != nil {
			return "", err
		}
		block := make([]byte, size+2)
		_, err = io.ReadFull(in.in, block)
		return string(bytes.TrimSuffix(block, []byte("\r\n"))), err
	}
	return "", fmt.Errorf("the server answers %s", daemon.Printable(line))
}
