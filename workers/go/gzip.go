package main

import (
	"bytes"
	"compress/gzip"
	"io"

	klauspost "github.com/klauspost/compress/gzip"

	"sizeup/gokit/protocol"
)

// gzipLibrary is an implementation of gzip. The calls through its interfaces are
// a few for each op.
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

// planGzip plans compressing an input with a writer that is reused.
func planGzip(gz gzipLibrary, input string) func(*job) (*plan, error) {
	return func(j *job) (*plan, error) {
		text, level, err := gzipJob(j, input)
		if err != nil {
			return nil, err
		}
		return &plan{
			bytesPerOp: int64(len(text)),
			verified:   "the stream decompresses to the text and is the one that a fresh writer makes",
			libraries:  []string{gz.library},
			instantiate: func() (instance, error) {
				expected, err := gz.compress(text, level)
				if err != nil {
					return nil, err
				}
				g := &gzipInstance{text: bytes.Clone(text), expected: expected}
				g.writer, err = gz.newWriter(&g.written, level)
				return g, err
			},
		}, nil
	}
}

// gzipJob reads what gzip workloads take: the text and the level.
func gzipJob(j *job, input string) (text []byte, level int, err error) {
	if err := j.parameters(protocol.Field{Name: "level", Into: &level}); err != nil {
		return nil, 0, err
	}
	if level < gzip.BestSpeed || level > gzip.BestCompression {
		return nil, 0, protocol.Faultf(protocol.KindBadRequest, "parameters: level is %d, it must be %d to %d",
			level, gzip.BestSpeed, gzip.BestCompression)
	}
	text, err = j.inputs.Take(input)
	return text, level, err
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

// Check decompresses with the standard library, whoever compressed.
func (g *gzipInstance) Check(output []byte) error {
	if err := mustEqual("the stream", output, g.expected); err != nil {
		return err
	}
	reader, err := gzip.NewReader(bytes.NewReader(output))
	if err != nil {
		return protocol.Faultf(protocol.KindWrongAnswer, "the stream does not open: %v", err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		return protocol.Faultf(protocol.KindWrongAnswer, "the stream does not decompress: %v", err)
	}
	return mustEqual("the round trip", text, g.text)
}
