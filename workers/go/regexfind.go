package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"regexp"

	"sizeup/gokit/protocol"
)

// findsGroups is the value of the parameter "finds" that asks for the groups of each match.
const findsGroups = "groups"

var regexFindRanges = protocol.Ranges{
	"finds":        protocol.OneOf("matches", findsGroups),
	"spans_sha256": protocol.AnyText(), // of the spans, in hex: two engines found them
}

// planRegexFind plans the search for all matches of a pattern in a text.
func planRegexFind(j *job) (*plan, error) {
	text, err := j.Inputs.Take("data")
	if err != nil {
		return nil, err
	}
	line, err := j.Inputs.Take("pattern")
	if err != nil {
		return nil, err
	}
	pattern := string(bytes.TrimRight(line, "\n"))
	if _, err := regexp.Compile(pattern); err != nil {
		return nil, protocol.Faultf(protocol.KindInput, "input \"pattern\": %v", err)
	}
	hasGroups, expected := j.Text("finds") == findsGroups, j.Text("spans_sha256")
	return &plan{
		BytesPerOp: int64(len(text)),
		Verified:   "matches are where another engine found them",
		Libraries:  []string{libraryGo},
		Instantiate: func() (instance, error) {
			pattern := regexp.MustCompile(pattern) // for each thread: they share no state
			find := pattern.FindAllIndex
			if hasGroups {
				find = pattern.FindAllSubmatchIndex
			}
			return &regexFindInstance{find: find, text: bytes.Clone(text), expected: expected}, nil
		},
	}, nil
}

type regexFindInstance struct {
	find     func(text []byte, most int) [][]int
	text     []byte
	expected string
	found    [][]int // of the last op: depends on it
}

var errNoMatch = errors.New("the pattern has no match in the text")

func (r *regexFindInstance) Op() error {
	if r.found = r.find(r.text, -1); r.found == nil {
		return errNoMatch
	}
	return nil
}

// Output is start and end of each match, or of each of its groups, as numbers of 32 bits; both are
// 2³² − 1 for a group that has no part in the match.
func (r *regexFindInstance) Output() ([]byte, error) {
	r.found = nil
	if err := r.Op(); err != nil {
		return nil, err
	}
	var output []byte
	for _, spans := range r.found {
		for _, at := range spans {
			output = binary.LittleEndian.AppendUint32(output, uint32(at))
		}
	}
	return output, nil
}

func (r *regexFindInstance) Check(output []byte) error {
	digest := sha256.Sum256(output)
	if found := hex.EncodeToString(digest[:]); found != r.expected {
		return protocol.Faultf(protocol.KindWrongAnswer, "the spans that were found have SHA-256 %s, not %s", found, r.expected)
	}
	return nil
}
