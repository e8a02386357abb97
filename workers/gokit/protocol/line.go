package protocol

import (
	"bufio"
	"io"
	"unicode/utf8"
)

// maxLine is the longest line in either direction, in bytes, including its newline.
const maxLine = 2 << 20

// LineReader reads the requests, one a line.
type LineReader struct {
	buffered *bufio.Reader
}

// NewLineReader reads lines from in.
func NewLineReader(in io.Reader) *LineReader {
	return &LineReader{bufio.NewReader(in)}
}

// Next returns the next line without its newline, or io.EOF when stdin is closed; the last line may
// have no newline. A line that is too long is refused before all of it is read.
func (r *LineReader) Next() ([]byte, error) {
	var line []byte
	for {
		part, err := r.buffered.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return nil, Faultf(KindBadRequest, "a line is longer than %d bytes", maxLine)
		}
		if err == nil {
			line = line[:len(line)-1]
		}
		switch {
		case err == bufio.ErrBufferFull:
			continue
		case err == io.EOF && len(line) == 0:
			return nil, io.EOF
		case err != nil && err != io.EOF:
			return nil, Faultf(KindInternal, "cannot read stdin: %v", err)
		case !utf8.Valid(line):
			return nil, Faultf(KindBadRequest, "a line is not UTF-8")
		}
		return line, nil
	}
}
