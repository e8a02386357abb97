package protocol

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestAnAnswerIsOneReadableLine(t *testing.T) {
	var out bytes.Buffer
	if err := WriteAnswer(&out, ErrorAnswer{"error", KindInternal, "2 > 1 & more", ""}); err != nil {
		t.Fatal(err)
	}
	const expected = `{"answer":"error","kind":"internal","message":"2 > 1 & more","hint":""}` + "\n"
	if out.String() != expected {
		t.Errorf("%s", out.String())
	}
}

func TestAnAnswerTooLongForALineIsAFault(t *testing.T) {
	err := WriteAnswer(io.Discard, DoneAnswer{Verified: strings.Repeat("x", maxLine)})
	mustBe(t, err, KindInternal, "2097152")
}

func TestAReadyHasDigestAndLengthOfTheOutputOrNeither(t *testing.T) {
	withOutput := ReadyAnswer{}
	withOutput.SetOutput(Describe([]byte("abc")))
	for expected, ready := range map[string]ReadyAnswer{
		`"output_sha256":null,"output_bytes":null`: {},
		// The digest is FIPS 180-2's own example.
		`"output_sha256":"ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad","output_bytes":3`: withOutput,
	} {
		var out bytes.Buffer
		if err := WriteAnswer(&out, ready); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(out.String(), expected) {
			t.Errorf("%s is not in %s", expected, out.String())
		}
	}
}
