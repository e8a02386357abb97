package main

import (
	"io"
	"slices"
	"sync"

	"sizeup/gokit/protocol"
)

// gatherBytes is the length of a chunk of a gatherBuffer.
const gatherBytes = 64 << 10

// onlyGatherBytes is the range of the parameter with this length: a length that the compiler does
// not know would change the code of each op.
var onlyGatherBytes = protocol.OneOf(gatherBytes)

// gatherBuffer holds a block as kopia's internal/gather does, in chunks of gatherBytes bytes: it is
// filled and read chunk by chunk, under a lock, and its memory is reused. This affects performance:
// Go copies a whole mebibyte around the caches, but chunks through them; and appending shards of 64
// bytes takes the lock for each. Here the chunks are contiguous, so that a check can read the whole
// block.
//
// It has no ReadFrom, and its reader no WriteTo, as in kopia: with these, a copy would skip the
// buffer in between.
type gatherBuffer struct {
	lock  sync.Mutex
	whole []byte
}

// newGatherBuffer is an empty buffer with room for this many bytes, all of them touched.
func newGatherBuffer(room int) *gatherBuffer {
	memory := make([]byte, room)
	clear(memory)
	return &gatherBuffer{whole: memory[:0]}
}

// gathered is a buffer with these bytes.
func gathered(whole []byte) *gatherBuffer { return &gatherBuffer{whole: whole} }

func (b *gatherBuffer) reset() {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.whole = b.whole[:0]
}

// Write appends; it never fails.
func (b *gatherBuffer) Write(data []byte) (int, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	for rest := data; len(rest) > 0; {
		room := gatherBytes - len(b.whole)%gatherBytes
		length := min(room, len(rest))
		b.whole = append(b.whole, rest[:length]...)
		rest = rest[length:]
	}
	return len(data), nil
}

// pour writes each chunk to a writer separately.
func (b *gatherBuffer) pour(into io.Writer) error {
	for chunk := range slices.Chunk(b.whole, gatherBytes) {
		if _, err := into.Write(chunk); err != nil {
			return err
		}
	}
	return nil
}

// appendTo appends all chunks to a slice.
func (b *gatherBuffer) appendTo(slice []byte) []byte {
	for chunk := range slices.Chunk(b.whole, gatherBytes) {
		slice = append(slice, chunk...)
	}
	return slice
}

// gatherReader reads a gatherBuffer from the current position.
type gatherReader struct {
	buffer *gatherBuffer
	at     int
}

func (r *gatherReader) Read(into []byte) (length int, err error) {
	if r.at == len(r.buffer.whole) {
		return 0, io.EOF
	}
	for length < len(into) && r.at < len(r.buffer.whole) {
		end := min(r.at-r.at%gatherBytes+gatherBytes, len(r.buffer.whole))
		copied := copy(into[length:], r.buffer.whole[r.at:end])
		length += copied
		r.at += copied
	}
	return length, nil
}
