package protocol

import "testing"

func TestAnObjectHasExactlyItsFields(t *testing.T) {
	for name, c := range map[string]struct{ object, naming string }{
		"a missing field":    {`{"ad_bytes":13}`, `"message_bytes"`},
		"an extra field":     {`{"message_bytes":1,"ad_bytes":1,"x":1}`, `"x"`},
		"an ill-typed field": {`{"message_bytes":"1","ad_bytes":1}`, `"message_bytes": a JSON string can't be int64`},
		"half a number":      {`{"message_bytes":1.5,"ad_bytes":1}`, `"message_bytes"`},
		"a null":             {`{"message_bytes":null,"ad_bytes":1}`, `"message_bytes" is null`},
		"a field twice":      {`{"ad_bytes":1,"message_bytes":1,"ad_bytes":1}`, `duplicate field "ad_bytes"`},
		"a list":             {`[8192,13]`, "not a JSON object"},
	} {
		t.Run(name, func(t *testing.T) {
			var messageBytes, adBytes int64
			err := DecodeObject("parameters", []byte(c.object),
				Field{Name: "message_bytes", Into: &messageBytes},
				Field{Name: "ad_bytes", Into: &adBytes})
			mustBe(t, err, KindBadRequest, "parameters: ")
			mustBe(t, err, KindBadRequest, c.naming)
		})
	}
}

func TestOnlyAnOptionalFieldMayBeAbsent(t *testing.T) {
	rate := int64(7)
	field := Field{Name: "rate", Into: &rate, Optional: true}
	if err := DecodeObject("parameters", []byte(`{}`), field); err != nil || rate != 7 {
		t.Errorf("%d, %v", rate, err)
	}
	if err := DecodeObject("parameters", []byte(`{"rate":8}`), field); err != nil || rate != 8 {
		t.Errorf("%d, %v", rate, err)
	}
}
