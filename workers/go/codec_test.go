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

func TestStreamsAreReadByOtherLibraries(t *testing.T) {
	text := sampleInput(t, "text")
	piece, err := editedText(text)
	if err != nil {
		t.Fatal(err)
	}
	for name, codec := range codecs {
		var open func(io.Reader) (io.Reader, error)
		switch {
		case strings.HasPrefix(name, "deflate"):
			open = func(stream io.Reader) (io.Reader, error) { return flate.NewReader(stream), nil }
		case strings.HasPrefix(name, "pgzip"):
			open = func(stream io.Reader) (io.Reader, error) { return gzip.NewReader(stream) }
		case strings.HasPrefix(name, "gzip"):
			open = func(stream io.Reader) (io.Reader, error) { return klauspostgzip.NewReader(stream) }
		default:
			continue // there is no other in Go
		}
		stream, err := compressPiece(codec, editedPiece, text)
		if err != nil {
			t.Fatal(err)
		}
		reader, err := open(bytes.NewReader(stream))
		if err != nil {
			t.Fatal(err)
		}
		back, err := io.ReadAll(reader)
		if err != nil || !bytes.Equal(back, piece) {
			t.Errorf("%s: %d bytes come back, not %d (%v)", name, len(back), len(piece), err)
		}
	}
}

func TestStreamsDoNotDependOnHowManyGoroutinesMakeThem(t *testing.T) {
	text := sampleInput(t, "text")
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for _, name := range []string{"pgzip-best-speed", "s2-default", "s2-better", "zstd", "zstd-fastest"} {
		var streams [][]byte
		for _, places := range []int{1, 4} {
			runtime.GOMAXPROCS(places)
			stream, err := compressPiece(codecs[name], editedPiece, text)
			if err != nil {
				t.Fatal(err)
			}
			streams = append(streams, stream)
		}
		if !bytes.Equal(streams[0], streams[1]) {
			t.Errorf("%s: with 4 the stream is another one", name)
		}
	}
}

// failingWriter is a disk that is full after so many bytes.
type failingWriter struct{ left int }

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, io.ErrShortWrite
	}
	return len(p), nil
}

func TestAWriterThatFailsIsNoticed(t *testing.T) {
	piece := random(pieceBytes)
	for name, codec := range codecs {
		writer, err := codec.writer()
		if err != nil {
			t.Fatal(err)
		}
		writer.Reset(&failingWriter{left: pieceBytes / 2})
		_, err = writer.Write(piece)
		if closing := writer.Close(); err == nil && closing == nil {
			t.Errorf("%s says nothing of it", name)
		}
	}
}

func TestAStreamThatIsCutOffFails(t *testing.T) {
	for name, codec := range codecs {
		stream, err := compressPiece(codec, randomPiece, nil)
		if err != nil {
			t.Fatal(err)
		}
		d, err := newDecompressInstance(codec, stream[:len(stream)-1], random(pieceBytes))
		if err != nil {
			t.Fatal(err)
		}
		if d.Op() == nil {
			t.Errorf("%s: the op succeeded", name)
		}
	}
}

// Whoever copies a stream asks its reader for a WriteTo first, kopia too.
func TestReadersHaveAWriteToWhereTheLibrarysOwnHasOne(t *testing.T) {
	have := 0
	for name, codec := range codecs {
		reader, err := codec.reader()
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
			t.Errorf("%s: %v, the library's own %v", name, has, librarysHas)
		}
		if has {
			have++
		}
	}
	// All but the standard library's gzip, at 3 levels, and the 4 of S2.
	if want := len(codecs) - 7; have != want {
		t.Errorf("%d have one, not %d", have, want)
	}
}
