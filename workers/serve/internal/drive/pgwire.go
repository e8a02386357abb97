package drive

import (
	"bufio"
	"bytes"
	"crypto/hmac"
	"crypto/pbkdf2"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"strconv"
	"strings"
	"time"

	"sizeup/worker-serve/internal/daemon"
)

// PostgreSQL's protocol, version 3: a message is its kind, its length without that, and its body.

const longestMessageOfServer = 1 << 16

func beginMessage(out []byte, kind byte) ([]byte, int) {
	out = append(out, kind, 0, 0, 0, 0)
	return out, len(out) - 4
}

// endMessage sets the length of the message whose length is at a place.
func endMessage(out []byte, at int) { binary.BigEndian.PutUint32(out[at:], uint32(len(out)-at)) }

func appendInt16(out []byte, value int) []byte {
	return binary.BigEndian.AppendUint16(out, uint16(value))
}

func appendInt32(out []byte, value int) []byte {
	return binary.BigEndian.AppendUint32(out, uint32(value))
}

// appendName appends the name of a prepared statement.
func appendName(out []byte, statement int) []byte { return append(out, 's', byte('0'+statement), 0) }

// cutMessage is the first message that has arrived whole; of length 0 if there is none.
func cutMessage(in []byte) (kind byte, body []byte, length int, err error) {
	const head = 5
	if len(in) < head {
		return 0, nil, 0, nil
	}
	length = int(binary.BigEndian.Uint32(in[1:])) + 1
	if length < head || length > longestMessageOfServer {
		return 0, nil, 0, fmt.Errorf("the server sent a message of %d bytes", length)
	}
	if len(in) < length {
		return 0, nil, 0, nil
	}
	return in[0], in[head:length], length, nil
}

// columns reads a row.
func columns(body []byte) ([]string, error) {
	if len(body) < 2 {
		return nil, errors.New("a row without columns")
	}
	count := int(binary.BigEndian.Uint16(body))
	body = body[2:]
	var found []string
	for range count {
		if len(body) < 4 {
			return nil, errors.New("a row that is too short")
		}
		length := int(int32(binary.BigEndian.Uint32(body)))
		body = body[4:]
		if length < 0 {
			found = append(found, "NULL")
			continue
		}
		if length > len(body) {
			return nil, errors.New("a row that is too short")
		}
		found = append(found, string(body[:length]))
		body = body[length:]
	}
	return found, nil
}

// appendColumn appends the first column of a row.
func appendColumn(out, body []byte) ([]byte, error) {
	const head = 6
	if len(body) < head {
		return nil, errors.New("a row without columns")
	}
	length := int(int32(binary.BigEndian.Uint32(body[2:])))
	if length < 0 || length > len(body)-head {
		return append(out, "NULL"...), nil
	}
	return append(out, body[head:head+length]...), nil
}

// serverError is the error that a message describes: its severity, code and text.
func serverError(body []byte) error {
	var severity, code, text string
	for field := range bytes.SplitSeq(body, []byte{0}) {
		if len(field) == 0 {
			continue
		}
		switch field[0] {
		case 'S':
			severity = string(field[1:])
		case 'C':
			code = string(field[1:])
		case 'M':
			text = string(field[1:])
		}
	}
	return fmt.Errorf("the server answers %s", daemon.Printable(severity+" "+code+": "+text))
}

// sqlSession is a session that asks one thing after another.
type sqlSession struct {
	out io.Writer
	in  *bufio.Reader
}

// session calls with a session of its own.
func (s *sql) session(patience time.Duration, call func(*sqlSession) error) error {
	connection, err := net.DialTimeout(s.target.Network, s.target.Address, requestPatience)
	if err != nil {
		return err
	}
	defer connection.Close()
	if err := connection.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	session, err := startSession(connection, s.target)
	if err != nil {
		return err
	}
	return call(session)
}

// SQLVersion asks a server for its version, after a command that may be empty.
func SQLVersion(target *SQLTarget, first string) (version string, err error) {
	s := &sql{target: target}
	err = s.session(requestPatience, func(session *sqlSession) error {
		if first != "" {
			if err := session.all(first); err != nil {
				return err
			}
		}
		rows, err := session.rows("SHOW server_version")
		if err == nil && len(rows) == 1 && len(rows[0]) == 1 {
			version, _, _ = strings.Cut(daemon.Printable(rows[0][0]), " ")
		}
		return err
	})
	return version, err
}

func startSession(connection io.ReadWriter, target *SQLTarget) (*sqlSession, error) {
	s := &sqlSession{out: connection, in: bufio.NewReader(connection)}
	const version3 = 3 << 16
	out := appendInt32([]byte{0, 0, 0, 0}, version3)
	for _, word := range []string{"user", target.User, "database", "postgres", "application_name", "sizeup", ""} {
		out = append(append(out, word...), 0)
	}
	endMessage(out, 0)
	if _, err := s.out.Write(out); err != nil {
		return nil, err
	}
	for {
		kind, body, err := s.next()
		switch {
		case err != nil:
			return nil, err
		case kind == 'Z':
			return s, nil
		case kind == 'R':
			if err := s.prove(body, target.Password); err != nil {
				return nil, err
			}
		case kind != 'S' && kind != 'K' && kind != 'N':
			return nil, fmt.Errorf("the server sent a message of kind %q", kind)
		}
	}
}

// prove answers a request for authentication: none, or SCRAM-SHA-256 (RFC 7677) without channel
// binding.
func (s *sqlSession) prove(body []byte, password string) error {
	const none, scram = 0, 10
	if len(body) < 4 {
		return errors.New("a request for authentication without its kind")
	}
	switch binary.BigEndian.Uint32(body) {
	case none:
		return nil
	case scram:
		return s.scram(password)
	}
	return errors.New("the server wants an authentication that is not known")
}

func (s *sqlSession) scram(password string) error {
	const mechanism = "SCRAM-SHA-256\x00"
	nonce := rand.Text()
	first := "n=,r=" + nonce
	out, at := beginMessage(nil, 'p')
	out = append(appendInt32(append(out, mechanism...), len(first)+3), "n,,"+first...)
	endMessage(out, at)
	theirFirst, err := s.answerTo(out, 11)
	if err != nil {
		return err
	}
	fields := map[string]string{}
	for field := range strings.SplitSeq(theirFirst, ",") {
		name, value, _ := strings.Cut(field, "=")
		fields[name] = value
	}
	salt, err := base64.StdEncoding.DecodeString(fields["s"])
	if err != nil || !strings.HasPrefix(fields["r"], nonce) {
		return errors.New("the server's SCRAM challenge is none")
	}
	const mostRounds = 100_000
	rounds, err := strconv.Atoi(fields["i"])
	if err != nil || rounds < 1 || rounds > mostRounds {
		return errors.New("the server's SCRAM challenge has an impossible number of rounds")
	}
	salted, err := pbkdf2.Key(sha256.New, password, salt, rounds, sha256.Size)
	if err != nil {
		return err
	}
	last := "c=biws,r=" + fields["r"]
	all := first + "," + theirFirst + "," + last
	clientKey := signed(salted, "Client Key")
	stored := sha256.Sum256(clientKey)
	proof := signed(stored[:], all)
	for i := range proof {
		proof[i] ^= clientKey[i]
	}
	out, at = beginMessage(nil, 'p')
	out = append(out, last+",p="+base64.StdEncoding.EncodeToString(proof)...)
	endMessage(out, at)
	theirLast, err := s.answerTo(out, 12)
	if err != nil {
		return err
	}
	if theirLast != "v="+base64.StdEncoding.EncodeToString(signed(signed(salted, "Server Key"), all)) {
		return errors.New("the server does not know the password itself")
	}
	return nil
}

func signed(key []byte, text string) []byte {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(text))
	return mac.Sum(nil)
}

// answerTo sends a message and returns what an authentication message of this kind has to say.
func (s *sqlSession) answerTo(out []byte, expected uint32) (string, error) {
	if _, err := s.out.Write(out); err != nil {
		return "", err
	}
	kind, body, err := s.next()
	if err == nil && (kind != 'R' || len(body) < 4 || binary.BigEndian.Uint32(body) != expected) {
		err = errors.New("the server breaks off SCRAM")
	}
	if err != nil {
		return "", err
	}
	return string(body[4:]), nil
}

// next is the next message; one of an error is an error.
func (s *sqlSession) next() (kind byte, body []byte, err error) {
	var head [5]byte
	if _, err := io.ReadFull(s.in, head[:]); err != nil {
		return 0, nil, err
	}
	length := int(binary.BigEndian.Uint32(head[1:])) - 4
	if length < 0 || length > longestMessageOfServer {
		return 0, nil, fmt.Errorf("the server sent a message of %d bytes", length)
	}
	body = make([]byte, length)
	if _, err := io.ReadFull(s.in, body); err != nil {
		return 0, nil, err
	}
	if head[0] == 'E' {
		return 0, nil, serverError(body)
	}
	return head[0], body, nil
}

// all carries out commands.
func (s *sqlSession) all(commands ...string) error {
	for _, command := range commands {
		if _, err := s.rows(command); err != nil {
			return fmt.Errorf("%s: %w", command, err)
		}
	}
	return nil
}

// rows carries out a command and returns its rows.
func (s *sqlSession) rows(command string) (found [][]string, err error) {
	out, at := beginMessage(nil, 'Q')
	out = append(append(out, command...), 0)
	endMessage(out, at)
	if _, err := s.out.Write(out); err != nil {
		return nil, err
	}
	const mostRows = 1000
	for {
		kind, body, err := s.next()
		switch {
		case err != nil:
			return nil, err
		case kind == 'Z':
			return found, nil
		case kind == 'D':
			row, err := columns(body)
			if err != nil {
				return nil, err
			}
			if found = append(found, row); len(found) > mostRows {
				return nil, fmt.Errorf("%s gave more than %d rows", command, mostRows)
			}
		}
	}
}

// numbers is the only row of a query, of so many integers.
func (s *sqlSession) numbers(query string, count int) ([]int64, error) {
	rows, err := s.rows(query)
	if err != nil {
		return nil, err
	}
	if len(rows) != 1 || len(rows[0]) != count {
		return nil, wrong("%s gave %d rows", query, len(rows))
	}
	numbers := make([]int64, count)
	for i, text := range rows[0] {
		if numbers[i], err = strconv.ParseInt(text, 10, 64); err != nil {
			return nil, wrong("%s gave %s, which is no number", query, daemon.Printable(text))
		}
	}
	return numbers, nil
}

// prepare prepares a statement under its number.
func (s *sqlSession) prepare(number int, text string) error {
	out, at := beginMessage(nil, 'P')
	out = append(append(appendName(out, number), text...), 0)
	out = appendInt16(out, 0) // the server chooses the types of all arguments
	endMessage(out, at)
	out = append(out, "S\x00\x00\x00\x04"...)
	if _, err := s.out.Write(out); err != nil {
		return err
	}
	for {
		kind, _, err := s.next()
		if err != nil || kind == 'Z' {
			return err
		}
	}
}
