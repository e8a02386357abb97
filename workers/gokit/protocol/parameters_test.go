package protocol

import (
	"encoding/json"
	"testing"
)

// sealing is an operation with each kind of parameter.
var sealing = Declare("seal/test", Ranges{
	"message_bytes": Integers(1, 100),
	"cipher":        OneOf("aes", "chacha"),
	"key_bits":      OneOf(128, 256),
	"note":          AnyText().OrNone(),
	"rounds":        Integers(0, 9).OrNone(),
}, "data")

func TestParametersInTheirRangesAreAccepted(t *testing.T) {
	p, err := sealing.Parameters.Read([]byte(`{"cipher":"aes","key_bits":256,"message_bytes":100,"note":"null"}`))
	if err != nil {
		t.Fatal(err)
	}
	if p.Text("cipher") != "aes" || p.Integer("key_bits") != 256 || p.Integer("message_bytes") != 100 ||
		p.Text("note") != "null" || !p.Has("note") {
		t.Errorf("%+v", p)
	}
	if p.Has("rounds") || p.Integer("rounds") != 0 {
		t.Error("a parameter that was left out is present")
	}
}

func TestParametersOutOfRangeAreRefusedByNameAndRange(t *testing.T) {
	for what, c := range map[string]struct{ parameters, message string }{
		"too much":        {`{"message_bytes":101}`, `parameters: "message_bytes" is 101; it must be 1 to 100`},
		"too little":      {`{"message_bytes":0}`, `parameters: "message_bytes" is 0; it must be 1 to 100`},
		"half a number":   {`{"message_bytes":1.5}`, `parameters: "message_bytes" is 1.5; it must be 1 to 100`},
		"a huge number":   {`{"message_bytes":1e99}`, `parameters: "message_bytes" is 1e99; it must be 1 to 100`},
		"a text":          {`{"message_bytes":"1"}`, `parameters: "message_bytes" is "1"; it must be 1 to 100`},
		"a null":          {`{"message_bytes":null}`, `parameters: "message_bytes" is null; it must be 1 to 100`},
		"no choice":       {`{"cipher":"rot13"}`, `parameters: "cipher" is "rot13"; it must be one of aes, chacha`},
		"a list":          {`{"cipher":["aes"]}`, `parameters: "cipher" is ["aes"]; it must be one of aes, chacha`},
		"a choice's text": {`{"key_bits":"128"}`, `parameters: "key_bits" is "128"; it must be one of 128, 256`},
		"a number":        {`{"note":7}`, `parameters: "note" is 7; it must be a text`},
		"an empty option": {`{"rounds":null}`, `parameters: "rounds" is null; it must be 0 to 9`},
		"an extra one":    {`{"colour":1}`, `parameters: "colour" is unknown; the operation takes cipher, key_bits, message_bytes, note, rounds`},
		"one twice":       {`{"cipher":"aes","cipher":"aes"}`, `parameters: duplicate field "cipher"`},
		"one missing":     {`{"cipher":"aes","key_bits":128}`, `parameters: "message_bytes" is missing; it must be 1 to 100`},
		"not an object":   {`[]`, `parameters: not a JSON object`},
	} {
		t.Run(what, func(t *testing.T) {
			_, err := sealing.Parameters.Read([]byte(c.parameters))
			if f := AsFault(err, ""); f.Kind != KindBadRequest || f.Message != c.message {
				t.Errorf("%+v, not %s", f, c.message)
			}
		})
	}
}

func TestAnOperationIsListedAsTheProtocolHasIt(t *testing.T) {
	for _, c := range []struct {
		operation Operation
		expected  string
	}{
		{sealing, `{"operation":"seal/test","parameters":{"cipher":{"of":["aes","chacha"]},"key_bits":{"of":[128,256]},` +
			`"message_bytes":{"from":1,"to":100},"note":{"text":true,"optional":true},"rounds":{"from":0,"to":9,"optional":true}},` +
			`"inputs":["data"]}`},
		{Declare("empty/test", nil), `{"operation":"empty/test","parameters":{},"inputs":[]}`},
	} {
		if got, err := json.Marshal(c.operation); err != nil || string(got) != c.expected {
			t.Errorf("%s (%v), not %s", got, err, c.expected)
		}
	}
}

func TestReadingAnUndeclaredParameterPanics(t *testing.T) {
	p, err := Ranges{}.Read([]byte(`{}`))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if recover() == nil {
			t.Error("it reads as 0")
		}
	}()
	p.Integer("level")
}
