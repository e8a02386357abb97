package main

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"io"
	"reflect"
	"runtime"
	"strings"
	"testing"

	klauspostgzip "github.com/klauspost/compress/gzip"
)

// piecesOf returns pieces of this many bytes for each format at each level.
func piecesOf(t *testing.T, data string, pieceBytes int) (pieces []*pieceJob) {
	t.Helper()
	for _, f := range formats {
		for _, level := range f.levels {
			p := &pieceJob{format: f, stream: stream{f.name, level, data}, concurrency: 1, pieceBytes: pieceBytes}
			if data == editedTextName {
				p.text = opticks(t)
			}
			pieces = append(pieces, p)
		}
	}
	return pieces
}

func TestStreamsAreReadByOtherLibraries(t *testing.T) {
	for _, p := range piecesOf(t, editedTextName, 2<<20) {
		var open func(io.Reader) (io.Reader, error)
		switch p.name {
		case "deflate/klauspost":
			open = func(stream io.Reader) (io.Reader, error) { return flate.NewReader(stream), nil }
		case "gzip/pgzip":
			open = func(stream io.Reader) (io.Reader, error) { return gzip.NewReader(stream) }
		case "gzip/go":
			open = func(stream io.Reader) (io.Reader, error) { return klauspostgzip.NewReader(stream) }
		default:
			continue // Go has no other
		}
		piece, err := p.piece()
		if err != nil {
			t.Fatal(err)
		}
		stream, err := p.compress()
		if err != nil {
			t.Fatal(err)
		}
		reader, err := open(bytes.NewReader(stream))
		if err != nil {
			t.Fatal(err)
		}
		back, err := io.ReadAll(reader)
		if err != nil || !bytes.Equal(back, piece) {
			t.Errorf("%v: the round trip returns %d bytes, not %d (%v)", p.stream, len(back), len(piece), err)
		}
	}
}

func TestStreamsDoNotDependOnTheNumberOfGoroutines(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, p := range piecesOf(t, editedTextName, 3<<20) {
		if p.format.concurrency.From == nil || strings.HasPrefix(p.level, "best") { // slow
			continue
		}
		var first []byte
		for _, c := range []struct{ places, concurrency int }{{1, 0}, {4, 0}, {4, 1}, {4, 3}} {
			runtime.GOMAXPROCS(c.places)
			p.concurrency = c.concurrency
			stream, err := p.compress()
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = stream
			}
			if !bytes.Equal(stream, first) {
				t.Errorf("%v: with %+v the stream differs", p.stream, c)
			}
		}
	}
}

// failingWriter is a disk that is full after this many bytes.
type failingWriter struct{ left int }

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func TestAFailingWriterIsReported(t *testing.T) {
	piece := random(8 << 20)
	for _, p := range piecesOf(t, randomName, len(piece)) {
		writer, err := p.writer(p.level, p.concurrency)
		if err != nil {
			t.Fatal(err)
		}
		writer.Reset(&failingWriter{left: len(piece) / 2})
		_, err = writer.Write(piece)
		if closing := writer.Close(); err == nil && closing == nil {
			t.Errorf("%v does not report it", p.stream)
		}
	}
}

func TestATruncatedStreamFails(t *testing.T) {
	for _, p := range piecesOf(t, randomName, 1<<20) {
		stream, err := p.compress()
		if err != nil {
			t.Fatal(err)
		}
		d, err := newDecompressInstance(p.format, stream[:len(stream)-1], random(p.pieceBytes))
		if err != nil {
			t.Fatal(err)
		}
		if d.Op() == nil {
			t.Errorf("%v: the op succeeded", p.stream)
		}
	}
}

// Code that copies a stream first looks for its reader's WriteTo; so does kopia.
func TestReadersHaveAWriteToIfTheLibrarysReaderHasOne(t *testing.T) {
	have := 0
	for _, f := range formats {
		reader, err := f.reader()
		if err != nil {
			t.Fatal(err)
		}
		_, has := reader.(io.WriterTo)
		embedded := reflect.ValueOf(reader).Field(0)
		if embedded.Kind() == reflect.Interface {
			embedded = embedded.Elem()
		}
		librarysHas := embedded.Type().Implements(reflect.TypeFor[io.WriterTo]())
		if has != librarysHas {
			t.Errorf("%s: %v, the library's own %v", f.name, has, librarysHas)
		}
		if has {
			have++
		}
	}
	// All except the standard library's gzip and S2.
	if want := len(formats) - 2; have != want {
		t.Errorf("%d have one, not %d", have, want)
	}
}
