package main

import (
	"html"
	"strings"
)

// planHTMLEscape plans html.EscapeString over the input.
func planHTMLEscape(j *job) (*plan, error) {
	text, escaped, err := escapeTexts(j)
	if err != nil {
		return nil, err
	}
	return planHTML(html.EscapeString, text, escaped,
		"the escaped text matches a byte-by-byte replacement"), nil
}

// planHTMLUnescape plans html.UnescapeString over the escaped input.
func planHTMLUnescape(j *job) (*plan, error) {
	text, escaped, err := escapeTexts(j)
	if err != nil {
		return nil, err
	}
	return planHTML(html.UnescapeString, escaped, text,
		"the escaped text unescapes to the text"), nil
}

// escapeTexts is the input, and the expected result of escaping it: each special byte replaced on
// its own, without the library.
func escapeTexts(j *job) (text, escaped string, err error) {
	content, err := j.Inputs.Take("data")
	if err != nil {
		return "", "", err
	}
	replacements := map[byte]string{'&': "&amp;", '\'': "&#39;", '<': "&lt;", '>': "&gt;", '"': "&#34;"}
	var made strings.Builder
	made.Grow(2 * len(content))
	for _, b := range content {
		if replacement, special := replacements[b]; special {
			made.WriteString(replacement)
		} else {
			made.WriteByte(b)
		}
	}
	return string(content), made.String(), nil
}

func planHTML(convert func(string) string, text, expected, verified string) *plan {
	return &plan{
		BytesPerOp: int64(len(text)),
		Verified:   verified,
		Libraries:  []string{libraryGo},
		Instantiate: func() (instance, error) {
			return &htmlInstance{convert: convert, text: strings.Clone(text), expected: []byte(expected)}, nil
		},
	}
}

type htmlInstance struct {
	convert   func(string) string
	text      string
	expected  []byte
	converted int // bytes of the last result: depends on every op
}

func (h *htmlInstance) Op() error {
	h.converted = len(h.convert(h.text))
	return nil
}

func (h *htmlInstance) Output() ([]byte, error) {
	return []byte(h.convert(h.text)), nil
}

func (h *htmlInstance) Check(output []byte) error {
	return mustEqual("the converted text", output, h.expected)
}
