package protocol

import (
	"io"
	"strings"
	"testing"
)

const finish = `{"request":"finish"}`

// padded is a request in a line of this many bytes, including its newline.
func padded(bytes int) string {
	return finish + strings.Repeat(" ", bytes-len(finish)-1) + "\n"
}

func TestLinesAreReadOneByOneAndTheLastNeedsNoNewline(t *testing.T) {
	lines := NewLineReader(strings.NewReader("one\n\nthree"))
	for _, expected := range []string{"one", "", "three"} {
		if line, err := lines.Next(); err != nil || string(line) != expected {
			t.Errorf("%q (%v), not %q", line, err, expected)
		}
	}
	if line, err := lines.Next(); err != io.EOF {
		t.Errorf("%q (%v) after the end", line, err)
	}
}

func TestALineMayBeAsLongAsTheProtocolSays(t *testing.T) {
	if line, err := NewLineReader(strings.NewReader(padded(maxLine))).Next(); err != nil || len(line) != maxLine-1 {
		t.Errorf("%d bytes, %v", len(line), err)
	}
	_, err := NewLineReader(strings.NewReader(padded(maxLine + 1))).Next()
	mustBe(t, err, KindBadRequest, "longer than 2097152")
}

// endless is a line without end.
type endless struct{}

func (endless) Read(into []byte) (int, error) {
	for i := range into {
		into[i] = ' '
	}
	return len(into), nil
}

func TestALineThatIsTooLongIsNotReadToItsEnd(t *testing.T) {
	_, err := NewLineReader(endless{}).Next()
	mustBe(t, err, KindBadRequest, "longer")
}

func TestALineThatIsNotUTF8IsRefused(t *testing.T) {
	_, err := NewLineReader(strings.NewReader("{\"request\":\"fin\xffish\"}\n")).Next()
	mustBe(t, err, KindBadRequest, "UTF-8")
}
