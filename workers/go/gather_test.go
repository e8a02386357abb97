package main

import (
	"bytes"
	"io"
	"testing"
)

// writes records the length of each write.
type writes struct{ lengths []int }

func (w *writes) Write(p []byte) (int, error) {
	w.lengths = append(w.lengths, len(p))
	return len(p), nil
}

func TestABufferReturnsItsContentInChunks(t *testing.T) {
	for _, length := range []int{0, 1, gatherBytes - 1, gatherBytes, gatherBytes + 1, 3*gatherBytes + 5} {
		data := random(length)
		buffer := newGatherBuffer(gatherBytes) // too small for some: it grows
		for rest := data; len(rest) > 0; {
			n := min(len(rest), 1000)
			if written, err := buffer.Write(rest[:n]); written != n || err != nil {
				t.Fatalf("of %d bytes %d are written (%v)", n, written, err)
			}
			rest = rest[n:]
		}
		read, err := io.ReadAll(&gatherReader{buffer: buffer})
		if err != nil || !bytes.Equal(read, data) {
			t.Errorf("%d bytes: %d are read (%v)", length, len(read), err)
		}
		if copied := buffer.appendTo(nil); !bytes.Equal(copied, data) {
			t.Errorf("%d bytes: %d are copied", length, len(copied))
		}
		var poured writes
		if err := buffer.pour(&poured); err != nil {
			t.Fatal(err)
		}
		sum := 0
		for i, n := range poured.lengths {
			if n != gatherBytes && i != len(poured.lengths)-1 {
				t.Errorf("%d bytes: write %d has %d", length, i, n)
			}
			sum += n
		}
		if sum != length {
			t.Errorf("of %d bytes %d are poured", length, sum)
		}
		if buffer.reset(); len(buffer.appendTo(nil)) != 0 {
			t.Errorf("%d bytes: a buffer that was reset is not empty", length)
		}
	}
}

func TestABufferIsReadAndFilledThroughAnotherBufferAsInKopia(t *testing.T) {
	var reader, buffer any = &gatherReader{}, &gatherBuffer{}
	if _, has := reader.(io.WriterTo); has {
		t.Error("io.Copy would hand the whole block to a compressor at once")
	}
	if _, has := buffer.(io.ReaderFrom); has {
		t.Error("io.Copy would make a decompressor write directly into the block")
	}
}
