package protocol

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Range is the valid values of a parameter: integers with both ends, one of several choices, or any
// text. The manifest prints it as it is here.
type Range struct {
	From     *int  `json:"from,omitempty"`
	To       *int  `json:"to,omitempty"`
	Of       []any `json:"of,omitempty"` // int or string
	Text     bool  `json:"text,omitempty"`
	Optional bool  `json:"optional,omitempty"`
}

// Ranges is the parameters of an operation by name.
type Ranges map[string]Range

// Integers is the range from one integer to another, both included.
func Integers(from, to int) Range { return Range{From: &from, To: &to} }

// OneOf allows only these values.
func OneOf[T int | string](choices ...T) Range {
	var r Range
	for _, choice := range choices {
		r.Of = append(r.Of, choice)
	}
	return r
}

// AnyText allows every text.
func AnyText() Range { return Range{Text: true} }

// OrNone makes a parameter optional.
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

// value decodes a value in the range: an int or a string.
func (r Range) value(raw json.RawMessage) (value any, isGood bool) {
	var number int
	var text string
	switch {
	case string(raw) == "null": // json.Unmarshal would accept it for any type
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

// Read decodes exactly these parameters, each in its range, from a request's JSON.
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
			return Faultf(KindBadRequest, "%s: %q is %s; it must be %s", what, name, value, r)
		}
		p.values[name] = good
		return nil
	})
	if err != nil {
		return p, err
	}
	for _, name := range ranges.names() {
		if r := ranges[name]; !r.Optional && p.values[name] == nil {
			return p, Faultf(KindBadRequest, "%s: %q is missing; it must be %s", what, name, r)
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

// Integer is 0 for a parameter that was left out.
func (p Parameters) Integer(name string) int { return valueOf[int](p, name) }

// Text is empty for a parameter that was left out.
func (p Parameters) Text(name string) string { return valueOf[string](p, name) }

// Has reports whether an optional parameter is present.
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
