package main

import (
	"bytes"
	"errors"
	"regexp"
	"regexp/syntax"
	"strings"

	"sizeup/gokit/protocol"
)

// planRegexp plans the search for a pattern in an input that does not match it, so that the matcher
// must read every byte.
func planRegexp(j *job) (*plan, error) {
	pattern := j.Text("pattern")
	if _, err := regexp.Compile(pattern); err != nil {
		return nil, protocol.Faultf(protocol.KindBadRequest, "parameters: pattern: %v", err)
	}
	ending, err := endingFor(pattern)
	if err != nil {
		return nil, err
	}
	text, err := j.Inputs.Take("data")
	if err != nil {
		return nil, err
	}
	return &plan{
		BytesPerOp: int64(len(text)),
		Verified:   "the text does not match, and matches with a matching ending",
		Libraries:  []string{libraryGo},
		Instantiate: func() (instance, error) {
			return &regexpInstance{
				// Compiled for each thread: they share no state.
				pattern:  regexp.MustCompile(pattern),
				text:     bytes.Clone(text),
				matching: append(bytes.Clone(text), ending...),
			}, nil
		},
	}, nil
}

type regexpInstance struct {
	pattern  *regexp.Regexp
	text     []byte // must not match
	matching []byte // must match
}

var errMatches = errors.New("the pattern matches the text")

func (r *regexpInstance) Op() error {
	if r.pattern.Match(r.text) {
		return errMatches
	}
	return nil
}

// Output is the results for both texts, "n" or "y" each.
func (r *regexpInstance) Output() ([]byte, error) {
	return []byte{verdict(r.pattern.Match(r.text)), verdict(r.pattern.Match(r.matching))}, nil
}

func (r *regexpInstance) Check(output []byte) error {
	return checkVerdicts(output, "ny", "the text", "the text with a matching ending")
}

// endingFor makes a text that matches the pattern, for the end of another text.
func endingFor(pattern string) (string, error) {
	parsed, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", protocol.Faultf(protocol.KindBadRequest, "parameters: pattern: %v", err)
	}
	return matchOf(parsed)
}

// matchOf makes a short text that matches, or refuses what depends on the text around it.
func matchOf(re *syntax.Regexp) (string, error) {
	switch re.Op {
	case syntax.OpEmptyMatch, syntax.OpEndLine, syntax.OpEndText, syntax.OpStar, syntax.OpQuest:
		return "", nil
	case syntax.OpLiteral:
		return string(re.Rune), nil
	case syntax.OpCharClass:
		return string(re.Rune[0]), nil
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "a", nil
	case syntax.OpCapture, syntax.OpPlus, syntax.OpAlternate:
		return matchOf(re.Sub[0])
	case syntax.OpRepeat:
		once, err := matchOf(re.Sub[0])
		return strings.Repeat(once, re.Min), err
	case syntax.OpConcat:
		var all strings.Builder
		for _, part := range re.Sub {
			text, err := matchOf(part)
			if err != nil {
				return "", err
			}
			all.WriteString(text)
		}
		return all.String(), nil
	}
	return "", protocol.Faultf(protocol.KindBadRequest,
		"parameters: pattern: %q depends on the surrounding text and cannot be checked", re).
		Advise("use a pattern without ^, \\A, \\b and the like")
}
