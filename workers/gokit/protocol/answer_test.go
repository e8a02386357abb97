package protocol

import (
	"bytes"
	"io"
	"strings"
	"testing"
)

func TestAnAnswerIsOneLineThatPeopleCanRead(t *testing.T) {
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
	mustBe(t, err, KindInternal, "1048576")
}
