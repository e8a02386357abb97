package fidelity

import "io"

// gather is bytes in pieces of 64 KiB, each where the allocator put it, as backup tools of Go keep a block. What is
// emptied keeps its pieces.
type gather struct {
	pieces [][]byte
	used   int
}

const chunkSize = 64 << 10

// inChunks copies data into one.
func inChunks(data []byte) *gather {
	c := &gather{}
	c.Write(data)
	return c
}

func (c *gather) empty() { c.used = 0 }

func (c *gather) length() int {
	if c.used == 0 {
		return 0
	}
	return (c.used-1)*chunkSize + len(c.pieces[c.used-1])
}

func (c *gather) Write(data []byte) (int, error) {
	for left := data; len(left) > 0; {
		if c.used == 0 || len(c.pieces[c.used-1]) == chunkSize {
			if c.used == len(c.pieces) {
				c.pieces = append(c.pieces, make([]byte, 0, chunkSize))
			}
			c.pieces[c.used] = c.pieces[c.used][:0]
			c.used++
		}
		last := &c.pieces[c.used-1]
		n := min(chunkSize-len(*last), len(left))
		*last = append(*last, left[:n]...)
		left = left[n:]
	}
	return len(data), nil
}

// all writes every piece to w.
func (c *gather) all(w io.Writer) error {
	for _, piece := range c.pieces[:c.used] {
		if _, err := w.Write(piece); err != nil {
			return err
		}
	}
	return nil
}

// onto appends every piece to a slice.
func (c *gather) onto(slice []byte) []byte {
	for _, piece := range c.pieces[:c.used] {
		slice = append(slice, piece...)
	}
	return slice
}

// chunkReader reads it.
type chunkReader struct {
	from  *gather
	piece int
	at    int
}

func (r *chunkReader) Read(p []byte) (int, error) {
	done := 0
	for done < len(p) && r.piece < r.from.used {
		n := copy(p[done:], r.from.pieces[r.piece][r.at:])
		done += n
		if r.at += n; r.at == len(r.from.pieces[r.piece]) {
			r.piece, r.at = r.piece+1, 0
		}
	}
	if done == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return done, nil
}
