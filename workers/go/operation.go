package main

import (
	"fmt"
	"slices"

	"sizeup/gokit/protocol"
	"sizeup/gokit/work"
)

// Short names for the kit's types.
type (
	operation = work.Operation
	job       = work.Job
	plan      = work.Plan
	instance  = work.Instance
)

// declare makes an operation; ranges is nil for one without parameters.
func declare(name string, plan func(*job) (*plan, error), ranges protocol.Ranges, inputs ...string) operation {
	return work.Declare(name, plan, ranges, inputs...)
}

// anyLength is the range of most lengths, in bytes.
var anyLength = protocol.Integers(1, 1<<30)

// namesOf is the range of a parameter that selects one of these by its name.
func namesOf[T fmt.Stringer](choices []T) protocol.Range {
	var names []string
	for _, choice := range choices {
		names = append(names, choice.String())
	}
	return protocol.OneOf(names...)
}

// named is the choice with that name, which namesOf has allowed.
func named[T fmt.Stringer](choices []T, name string) T {
	return choices[slices.IndexFunc(choices, func(choice T) bool { return choice.String() == name })]
}
