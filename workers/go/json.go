package main

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strconv"

	"sizeup/gokit/protocol"
)

// The document of the JSON rows as types, as workers/data/src/orders.rs has them: fields are in the
// document's order, so that what is encoded is the document again.
type (
	ordersPage struct {
		Count  uint64        `json:"count"`
		Next   *string       `json:"next"`
		Orders []ordersOrder `json:"orders"`
	}
	ordersOrder struct {
		Billing  ordersAddress  `json:"billing"`
		Created  string         `json:"created"`
		Currency string         `json:"currency"`
		Customer ordersCustomer `json:"customer"`
		Discount *float64       `json:"discount"`
		ID       string         `json:"id"`
		Lines    []ordersLine   `json:"lines"`
		Notes    string         `json:"notes"`
		Number   uint64         `json:"number"`
		Paid     bool           `json:"paid"`
		Shipping ordersAddress  `json:"shipping"`
		Status   string         `json:"status"`
		Tags     []string       `json:"tags"`
		Total    float64        `json:"total"`
	}
	ordersAddress struct {
		City      string  `json:"city"`
		Country   string  `json:"country"`
		Latitude  float64 `json:"latitude"`
		Longitude float64 `json:"longitude"`
		Postcode  string  `json:"postcode"`
		Street    string  `json:"street"`
	}
	ordersCustomer struct {
		Email string  `json:"email"`
		ID    uint64  `json:"id"`
		Name  string  `json:"name"`
		Phone *string `json:"phone"`
		Since string  `json:"since"`
	}
	ordersLine struct {
		Description string  `json:"description"`
		Gift        bool    `json:"gift"`
		Price       float64 `json:"price"`
		Quantity    uint32  `json:"quantity"`
		SKU         string  `json:"sku"`
		Tax         float64 `json:"tax"`
		Weight      float64 `json:"weight"`
	}
)

// jsonInstance makes something of a document, and from that the document again.
type jsonInstance struct {
	op     func() (any, error)
	output func(made any) ([]byte, error)
	text   []byte
	made   any // of the last op: depends on it
}

// planJSON plans an operation on a document; prepare makes its op out of a thread's own document.
func planJSON(verified string, prepare func(text []byte) (op func() (any, error), err error),
	output func(made any) ([]byte, error)) func(*job) (*plan, error) {
	return func(j *job) (*plan, error) {
		text, err := j.Inputs.Take("data")
		if err != nil {
			return nil, err
		}
		return &plan{
			BytesPerOp: int64(len(text)),
			Verified:   verified,
			Libraries:  []string{libraryGo},
			Instantiate: func() (instance, error) {
				own := bytes.Clone(text)
				op, err := prepare(own)
				return &jsonInstance{op: op, output: output, text: own}, err
			},
		}, nil
	}
}

// planJSONParse plans json.Unmarshal into an any.
var planJSONParse = planJSON("the tree, written in canonical form, is the document",
	func(text []byte) (func() (any, error), error) {
		return func() (any, error) {
			var tree any
			err := json.Unmarshal(text, &tree)
			return tree, err
		}, nil
	},
	func(made any) ([]byte, error) { return appendCanonical(nil, made), nil })

// planJSONDecode plans json.Unmarshal into types.
var planJSONDecode = planJSON("the types, encoded, are the document",
	func(text []byte) (func() (any, error), error) {
		return func() (any, error) {
			page := new(ordersPage)
			err := json.Unmarshal(text, page)
			return page, err
		}, nil
	},
	json.Marshal)

// planJSONEncode plans json.Marshal of types.
var planJSONEncode = planJSON("what was encoded is the document",
	func(text []byte) (func() (any, error), error) {
		page := new(ordersPage)
		if err := json.Unmarshal(text, page); err != nil {
			return nil, protocol.Faultf(protocol.KindInput, "input \"data\": %v", err)
		}
		return func() (any, error) { return json.Marshal(page) }, nil
	},
	func(made any) ([]byte, error) { return made.([]byte), nil })

func (j *jsonInstance) Op() (err error) {
	j.made, err = j.op()
	return err
}

func (j *jsonInstance) Output() ([]byte, error) {
	j.made = nil
	if err := j.Op(); err != nil {
		return nil, err
	}
	return j.output(j.made)
}

func (j *jsonInstance) Check(output []byte) error { return mustEqual("the document", output, j.text) }

// appendCanonical writes a tree without spaces, names in their order, numbers as short as they can
// be. The library has no part in it.
func appendCanonical(text []byte, value any) []byte {
	switch value := value.(type) {
	case bool:
		return strconv.AppendBool(text, value)
	case float64:
		return strconv.AppendFloat(text, value, 'f', -1, 64)
	case string:
		return appendCanonicalString(text, value)
	case []any:
		text = append(text, '[')
		for i, element := range value {
			if i > 0 {
				text = append(text, ',')
			}
			text = appendCanonical(text, element)
		}
		return append(text, ']')
	case map[string]any:
		text = append(text, '{')
		for i, name := range slices.Sorted(maps.Keys(value)) {
			if i > 0 {
				text = append(text, ',')
			}
			text = append(appendCanonicalString(text, name), ':')
			text = appendCanonical(text, value[name])
		}
		return append(text, '}')
	}
	return append(text, "null"...)
}

func appendCanonicalString(text []byte, value string) []byte {
	text = append(text, '"')
	for i := range len(value) {
		switch c := value[i]; c {
		case '"', '\\':
			text = append(text, '\\', c)
		case '\n':
			text = append(text, `\n`...)
		case '\t':
			text = append(text, `\t`...)
		default:
			text = append(text, c)
		}
	}
	return append(text, '"')
}
