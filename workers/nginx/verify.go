package main

import (
	"bytes"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"time"

	"github.com/andybalholm/brotli"

	"sizeup/gokit/protocol"
	"sizeup/worker-nginx/internal/drive"
)

// expected is the expected answer.
type expected struct {
	phrase string // what is checked, for messages
	output []byte
}

// expect computes the expected answer from the parameters and the page alone.
func (p *parameters) expect(page []byte) expected {
	head := fmt.Sprintf("TLS %s, %s, %s, a new session\n", p.tls, ciphers[p.tls][p.cipher], p.curve)
	switch p.answer {
	case "redirect":
		return expected{
			phrase: "the redirect leads to the page, with the requested cipher",
			output: []byte(head + "302 to /page\n"),
		}
	case "plain":
		return expected{
			phrase: "the answer has the expected two bytes, with the requested cipher",
			output: []byte(head + "200 text/plain \nok"),
		}
	}
	return expected{
		phrase: "the page is minified, compressed and fresh, with the requested cipher",
		output: append([]byte(head+"200 text/html br\n"), minified(page)...),
	}
}

// minified is the page without line breaks, each run of spaces as one space: the output of the
// server's Lua code, computed in another way.
func minified(page []byte) []byte {
	small := make([]byte, 0, len(page))
	for _, b := range page {
		isSecondSpace := b == ' ' && len(small) > 0 && small[len(small)-1] == ' '
		if b != '\r' && b != '\n' && !isSecondSpace {
			small = append(small, b)
		}
	}
	return small
}

// Verify checks one more answer, and returns a phrase for what was checked.
func (s *site) Verify() (verified string, err error) {
	if _, err := s.verify(); err != nil {
		return "", protocol.AsFault(err, protocol.KindOperationFailed).In(https.Name)
	}
	return s.expected.phrase, nil
}

// verify makes the client fetch an answer, checks it, and describes it.
func (s *site) verify() (protocol.Output, error) {
	fetched, err := s.client.Fetch()
	if err != nil {
		return protocol.Output{}, err
	}
	output, err := outputOf(fetched, s.parameters.answer, time.Now())
	if err != nil {
		return protocol.Output{}, err
	}
	if s.injectBit >= 0 {
		bit := s.injectBit % (8 * int64(len(output)))
		output[bit/8] ^= 1 << (bit % 8)
	}
	if err := s.expected.check(output); err != nil {
		if s.injectBit >= 0 {
			err = err.Advise("the request injected this wrong answer")
		}
		return protocol.Output{}, err
	}
	return protocol.Describe(output), nil
}

// outputOf is all parts of an answer that matter, without the one that changes: the time at which
// the page was made, which must be now.
func outputOf(f *drive.Fetched, answer string, now time.Time) ([]byte, error) {
	session := "a new session"
	if f.Resumed {
		session = "a resumed session"
	}
	head := fmt.Sprintf("%s, %s, %s, %s\n%d ", f.TLS, f.Cipher, f.Curve, session, f.Status)
	if answer == "redirect" {
		return fmt.Appendf(nil, "%sto %s\n", head, pathOf(f.Location)), nil
	}
	head += f.ContentType + " " + f.ContentEncoding + "\n"
	if answer == "plain" {
		return append([]byte(head), f.Body...), nil
	}
	body := f.Body
	if f.ContentEncoding == "br" {
		var err error
		if body, err = io.ReadAll(brotli.NewReader(bytes.NewReader(f.Body))); err != nil {
			return nil, wrong("the page does not decompress: %v", err)
		}
	}
	page, err := cutTime(body, now)
	return append([]byte(head), page...), err
}

// pathOf removes the server's own address from a location.
func pathOf(location string) string {
	return regexp.MustCompile(`^https://[^/]+`).ReplaceAllString(location, "")
}

// A clock is adjusted now and then; a stale page is older.
const freshFor = 10 * time.Second

var madeAt = regexp.MustCompile(`<!-- made at (\d+\.\d{3}) -->$`)

func cutTime(page []byte, now time.Time) ([]byte, error) {
	found := madeAt.FindSubmatchIndex(page)
	if found == nil {
		return nil, wrong("the page does not end with the time at which it was made")
	}
	seconds, err := strconv.ParseFloat(string(page[found[2]:found[3]]), 64)
	if err != nil {
		return nil, wrong("the page's time: %v", err)
	}
	made := time.UnixMilli(int64(seconds * 1000))
	if age := now.Sub(made); age.Abs() > freshFor {
		return nil, wrong("the page was made %v ago", age)
	}
	return page[:found[0]], nil
}

// check compares an output with the expected one and reports the first difference.
func (e expected) check(output []byte) *protocol.Fault {
	for i := range min(len(output), len(e.output)) {
		if output[i] != e.output[i] {
			return wrong("the answer differs at byte %d: %q, not %q", i, near(output, i), near(e.output, i))
		}
	}
	if len(output) != len(e.output) {
		return wrong("the answer has %d bytes, not %d", len(output), len(e.output))
	}
	return nil
}

// near returns some bytes around a position.
func near(text []byte, place int) []byte {
	const around = 20
	return text[max(0, place-around):min(len(text), place+around)]
}

func wrong(format string, args ...any) *protocol.Fault {
	return protocol.Faultf(protocol.KindWrongAnswer, format, args...)
}
