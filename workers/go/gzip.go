package main

import (
	"bytes"
	"compress/gzip"
	"io"

	klauspost "github.com/klauspost/compress/gzip"

	"sizeup/gokit/protocol"
)

// gzipLibrary is an implementation of gzip. An op makes only a few calls through its interfaces.
type gzipLibrary struct {
	library   string
	newWriter func(io.Writer, int) (gzipWriter, error)
	newReader func(io.Reader) (gzipReader, error)
}

type gzipWriter interface {
	io.WriteCloser
	Reset(io.Writer)
}

type gzipReader interface {
	io.Reader
	Reset(io.Reader) error
}

var (
	goGzip = gzipLibrary{
		library:   libraryGo,
		newWriter: func(w io.Writer, level int) (gzipWriter, error) { return gzip.NewWriterLevel(w, level) },
		newReader: func(r io.Reader) (gzipReader, error) { return gzip.NewReader(r) },
	}
	klauspostGzip = gzipLibrary{
		library:   libraryCompress,
		newWriter: func(w io.Writer, level int) (gzipWriter, error) { return klauspost.NewWriterLevel(w, level) },
		newReader: func(r io.Reader) (gzipReader, error) { return klauspost.NewReader(r) },
	}
)

var gzipRanges = protocol.Ranges{"level": protocol.Integers(gzip.BestSpeed, gzip.BestCompression)}

// planGzip plans compressing an input with a reused writer; the other library decompresses its
// output.
func planGzip(gz, other gzipLibrary) func(*job) (*plan, error) {
	return func(j *job) (*plan, error) {
		level := j.Integer("level")
		text, err := j.Inputs.Take("data")
		if err != nil {
			return nil, err
		}
		return &plan{
			BytesPerOp: int64(len(text)),
			Verified:   "the stream decompresses to the text with another library and matches a fresh writer's",
			Libraries:  []string{gz.library},
			Instantiate: func() (instance, error) {
				expected, err := gz.compress(text, level)
				if err != nil {
					return nil, err
				}
				g := &gzipInstance{text: bytes.Clone(text), expected: expected, open: other.newReader}
				g.writer, err = gz.newWriter(&g.written, level)
				return g, err
			},
		}, nil
	}
}

// compress compresses with a writer of its own.
func (gz gzipLibrary) compress(text []byte, level int) ([]byte, error) {
	var compressed bytes.Buffer
	writer, err := gz.newWriter(&compressed, level)
	if err != nil {
		return nil, err
	}
	if err := compressInto(&compressed, writer, text); err != nil {
		return nil, err
	}
	return compressed.Bytes(), nil
}

func compressInto(out io.Writer, writer gzipWriter, text []byte) error {
	writer.Reset(out)
	if _, err := writer.Write(text); err != nil {
		return err
	}
	return writer.Close()
}

// counter discards what is written to it and counts the bytes.
type counter int64

func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

type gzipInstance struct {
	text     []byte
	expected []byte // a round trip alone would miss a bit of padding
	open     func(io.Reader) (gzipReader, error)
	writer   gzipWriter
	written  counter
}

func (g *gzipInstance) Op() error {
	return compressInto(&g.written, g.writer, g.text)
}

func (g *gzipInstance) Output() ([]byte, error) {
	var compressed bytes.Buffer
	err := compressInto(&compressed, g.writer, g.text)
	return compressed.Bytes(), err
}

func (g *gzipInstance) Check(output []byte) error {
	if err := mustEqual("the stream", output, g.expected); err != nil {
		return err
	}
	reader, err := g.open(bytes.NewReader(output))
	if err != nil {
		return protocol.Faultf(protocol.KindWrongAnswer, "the stream does not open: %v", err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		return protocol.Faultf(protocol.KindWrongAnswer, "the stream does not decompress: %v", err)
	}
	return mustEqual("the round trip", text, g.text)
}
