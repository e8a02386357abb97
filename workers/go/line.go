package main

import (
	"bufio"
	"io"
	"unicode/utf8"
)

// maxLine is the longest line in either direction, in bytes, its newline
// counted.
const maxLine = 1 << 20

// lineReader reads the requests, one a line.
type lineReader struct {
	buffered *bufio.Reader
}

func newLineReader(in io.Reader) *lineReader {
	return &lineReader{bufio.NewReader(in)}
}

// next returns the next line without its newline, or io.EOF when stdin is
// closed; the last line may lack its newline. What is longer than a line may be
// is refused before all of it is read.
func (r *lineReader) next() ([]byte, error) {
	var line []byte
	for {
		part, err := r.buffered.ReadSlice('\n')
		line = append(line, part...)
		if len(line) > maxLine {
			return nil, faultf(kindBadRequest, "a line is longer than %d bytes", maxLine)
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
			return nil, faultf(kindInternal, "reading stdin: %v", err)
		case !utf8.Valid(line):
			return nil, faultf(kindBadRequest, "a line is not UTF-8")
		}
		return line, nil
	}
}
