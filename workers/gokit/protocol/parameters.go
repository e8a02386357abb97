package protocol

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Range is what a parameter may be: integers with both ends, one of some choices,
// or any text. It is printed in the manifest as it is here.
type Range struct {
	From     *int  `json:"from,omitempty"`
	To       *int  `json:"to,omitempty"`
	Of       []any `json:"of,omitempty"` // int or string
	Text     bool  `json:"text,omitempty"`
	Optional bool  `json:"optional,omitempty"`
}

// Ranges is the parameters of an operation by name.
type Ranges map[string]Range

// Integers takes those from one to another.
func Integers(from, to int) Range { return Range{From: &from, To: &to} }

// OneOf takes these and no other.
func OneOf[T int | string](choices ...T) Range {
	var r Range
	for _, choice := range choices {
		r.Of = append(r.Of, choice)
	}
	return r
}

// AnyText takes every text.
func AnyText() Range { return Range{Text: true} }

// OrNone lets a parameter be left out.
func (r Range) OrNone() Range {
	r.Optional = true
	return r
}

func (r Range) String() string {
	switch {
	case r.Text:
		return "a text"
	case r.From != nil:
		return fmt.Sprintf("%d to %d", *r.From, *r.To)
	}
	choices := make([]string, len(r.Of))
	for i, choice := range r.Of {
		choices[i] = fmt.Sprint(choice)
	}
	return "one of " + strings.Join(choices, ", ")
}

// value decodes what is in the range: an int or a string.
func (r Range) value(raw json.RawMessage) (value any, isGood bool) {
	var number int
	var text string
	switch {
	case string(raw) == "null": // which json.Unmarshal would take for anything
		return nil, false
	case json.Unmarshal(raw, &number) == nil:
		value = number
	case json.Unmarshal(raw, &text) == nil:
		value = text
	}
	switch {
	case r.Text:
		_, isGood = value.(string)
	case r.From != nil:
		_, isGood = value.(int)
		isGood = isGood && number >= *r.From && number <= *r.To
	default:
		isGood = value != nil && slices.Contains(r.Of, value)
	}
	return value, isGood
}

// Parameters is a request's values, each of them in its range.
type Parameters struct {
	ranges Ranges
	values map[string]any
}

// Read takes exactly these parameters, each in its range, out of a request's JSON.
func (ranges Ranges) Read(raw json.RawMessage) (Parameters, error) {
	const what = "parameters"
	p := Parameters{ranges, map[string]any{}}
	err := eachMember(what, raw, func(name string, value json.RawMessage) error {
		r, isDeclared := ranges[name]
		if !isDeclared {
			return Faultf(KindBadRequest, "%s: %q is unknown; the operation takes %s", what, name, ranges)
		}
		good, isGood := r.value(value)
		if !isGood {
			return Faultf(KindBadRequest, "%s: %q is %s, it must be %s", what, name, value, r)
		}
		p.values[name] = good
		return nil
	})
	if err != nil {
		return p, err
	}
	for _, name := range ranges.names() {
		if r := ranges[name]; !r.Optional && p.values[name] == nil {
			return p, Faultf(KindBadRequest, "%s: %q is missing, it must be %s", what, name, r)
		}
	}
	return p, nil
}

func (ranges Ranges) names() []string { return slices.Sorted(maps.Keys(ranges)) }

func (ranges Ranges) String() string {
	if len(ranges) == 0 {
		return "none"
	}
	return strings.Join(ranges.names(), ", ")
}

// Integer is 0 for one that was left out.
func (p Parameters) Integer(name string) int { return valueOf[int](p, name) }

// Text is empty for one that was left out.
func (p Parameters) Text(name string) string { return valueOf[string](p, name) }

// Has tells whether an optional parameter is there.
func (p Parameters) Has(name string) bool { return p.values[name] != nil }

func valueOf[T int | string](p Parameters, name string) (value T) {
	if _, isDeclared := p.ranges[name]; !isDeclared {
		panic("the operation does not declare its parameter " + name)
	}
	if p.Has(name) {
		value = p.values[name].(T)
	}
	return value
}
