package protocol

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"strings"
)

// encoding/json alone is too lenient for a protocol: it ignores the case of field names, silently
// lets a repeated field win and accepts null for anything. Requests and parameters use this decoder
// instead.

// Field is one field that an object may have.
type Field struct {
	Name     string
	Into     any // pointer to where its value goes
	Optional bool
}

// DecodeObject decodes a JSON object that has exactly these fields, each once and none of them
// null. what names the object in messages.
func DecodeObject(what string, raw []byte, fields ...Field) error {
	seen := make(map[string]bool, len(fields))
	err := eachMember(what, raw, func(name string, value json.RawMessage) error {
		for _, f := range fields {
			if f.Name == name {
				seen[name] = true
				return decodeValue(what, f, value)
			}
		}
		return Faultf(KindBadRequest, "%s: unknown field %q", what, name).
			Advise("known fields: " + fieldNames(fields))
	})
	if err != nil {
		return err
	}
	for _, f := range fields {
		if !f.Optional && !seen[f.Name] {
			return Faultf(KindBadRequest, "%s: field %q is missing", what, f.Name)
		}
	}
	return nil
}

func decodeValue(what string, f Field, value json.RawMessage) error {
	if bytes.Equal(value, []byte("null")) {
		return Faultf(KindBadRequest, "%s: field %q is null", what, f.Name)
	}
	if err := json.Unmarshal(value, f.Into); err != nil {
		reason := err.Error()
		if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
			reason = "a JSON " + wrong.Value + " can't be " + wrong.Type.String()
		}
		return Faultf(KindBadRequest, "%s: field %q: %s", what, f.Name, reason)
	}
	return nil
}

// eachMember calls visit for every member of a JSON object, in order; a duplicate name, or anything
// after the object, is an error.
func eachMember(what string, raw []byte, visit func(name string, value json.RawMessage) error) error {
	decoder := json.NewDecoder(bytes.NewReader(raw))
	opening, err := decoder.Token()
	if err != nil {
		return notJSON(what, err)
	}
	if opening != json.Delim('{') {
		return Faultf(KindBadRequest, "%s: not a JSON object", what)
	}
	seen := map[string]bool{}
	for decoder.More() {
		token, err := decoder.Token()
		if err != nil {
			return notJSON(what, err)
		}
		name := token.(string) // between { and } the decoder returns names only
		if seen[name] {
			return Faultf(KindBadRequest, "%s: duplicate field %q", what, name)
		}
		seen[name] = true
		var value json.RawMessage
		if err := decoder.Decode(&value); err != nil {
			return notJSON(what, err)
		}
		if err := visit(name, value); err != nil {
			return err
		}
	}
	if _, err := decoder.Token(); err != nil {
		return notJSON(what, err)
	}
	if _, err := decoder.Token(); err != io.EOF {
		return Faultf(KindBadRequest, "%s: data follows the JSON object", what)
	}
	return nil
}

func notJSON(what string, err error) error {
	if err == io.EOF {
		err = io.ErrUnexpectedEOF
	}
	return Faultf(KindBadRequest, "%s: not JSON: %v", what, err)
}

func fieldNames(fields []Field) string {
	if len(fields) == 0 {
		return "none"
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return strings.Join(names, ", ")
}
