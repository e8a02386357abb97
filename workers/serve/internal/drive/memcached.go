package drive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"

	"sizeup/worker-serve/internal/daemon"
)

// memcached is memcached's text protocol.
type memcached struct{}

// MemcachedUser is the user of the password.
const MemcachedUser = "sizeup"

func (memcached) login(session io.ReadWriter, password string) error {
	words := MemcachedUser + " " + password
	if _, err := fmt.Fprintf(session, "set auth 0 0 %d\r\n%s\r\n", len(words), words); err != nil {
		return err
	}
	answer, err := newAnswers(session).line()
	if err == nil && answer != "STORED" {
		err = fmt.Errorf("the server answers %s", daemon.Printable(answer))
	}
	return err
}

func (memcached) get(out []byte, key int64) []byte {
	return append(appendKey(append(out, "get "...), key), "\r\n"...)
}

func (memcached) set(out []byte, key int64, value []byte) []byte {
	out = append(appendKey(append(out, "set "...), key), " 0 0 "...)
	out = strconv.AppendInt(out, int64(len(value)), 10)
	out = append(append(out, "\r\n"...), value...)
	return append(out, "\r\n"...)
}

func (memcached) answer(in []byte, isSet bool) (read int, value []byte, err error) {
	line, length, err := cutLine(in)
	if length == 0 {
		return 0, nil, err
	}
	if isSet && string(line) == "STORED" {
		return length, nil, nil
	}
	if !isSet && string(line) == "END" {
		return 0, nil, wrong("a key that was set is not there")
	}
	if isSet || !bytes.HasPrefix(line, []byte("VALUE ")) {
		return 0, nil, fmt.Errorf("the server answers %s", daemon.Printable(string(line)))
	}
	// VALUE <key> <flags> <bytes>; the value names its key again.
	size, err := number(line[bytes.LastIndexByte(line, ' ')+1:])
	if err != nil {
		return 0, nil, err
	}
	const end = "END\r\n"
	value, read, err = cutBlock(in, length, size)
	if read == 0 || len(in) < read+len(end) {
		return 0, nil, err
	}
	if string(in[read:read+len(end)]) != end {
		return 0, nil, errors.New("an answer of several values to one key")
	}
	return read + len(end), value, nil
}

func (memcached) counts(session io.ReadWriter) (hits, misses, sets int64, err error) {
	found, err := stats(session)
	if err != nil {
		return 0, 0, 0, err
	}
	numbers := [3]int64{-1, -1, -1}
	for i, name := range []string{"get_hits", "get_misses", "cmd_set"} {
		if value, err := strconv.ParseInt(found[name], 10, 64); err == nil {
			numbers[i] = value
		}
	}
	return numbers[0], numbers[1], numbers[2], nil
}

// stats asks for a memcached's figures of itself.
func stats(session io.ReadWriter) (map[string]string, error) {
	if _, err := io.WriteString(session, "stats\r\n"); err != nil {
		return nil, err
	}
	in, found := newAnswers(session), map[string]string{}
	const mostLines = 1000
	for range mostLines {
		line, err := in.line()
		if err != nil {
			return nil, err
		}
		if line == "END" {
			return found, nil
		}
		if words := strings.SplitN(line, " ", 3); len(words) == 3 && words[0] == "STAT" {
			found[words[1]] = words[2]
		}
	}
	return nil, errors.New("statistics without an end")
}

// MemcachedVersion asks a memcached for its version.
func MemcachedVersion(session *net.TCPConn, password string) (string, error) {
	if err := (memcached{}).login(session, password); err != nil {
		return "", err
	}
	found, err := stats(session)
	return daemon.Printable(found["version"]), err
}
