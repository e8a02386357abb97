package main

import (
	"bytes"
	"compress/gzip"
	"io"
)

// planGzip plans compressing an input with a writer that is reused.
func planGzip(input string) func(*job) (*plan, error) {
	return func(j *job) (*plan, error) {
		text, level, err := gzipJob(j, input)
		if err != nil {
			return nil, err
		}
		return &plan{
			bytesPerOp: int64(len(text)),
			verified:   "the stream decompresses to the text and is the one that a fresh writer makes",
			libraries:  []string{libraryGo},
			instantiate: func() (instance, error) {
				expected, err := gzipBytes(text, level)
				if err != nil {
					return nil, err
				}
				g := &gzipInstance{text: bytes.Clone(text), expected: expected}
				g.writer, err = gzip.NewWriterLevel(&g.written, level)
				return g, err
			},
		}, nil
	}
}

// planGunzip plans decompressing what planGzip makes, with a reader that is
// reused. Its bytes are the uncompressed ones.
func planGunzip(input string) func(*job) (*plan, error) {
	return func(j *job) (*plan, error) {
		text, level, err := gzipJob(j, input)
		if err != nil {
			return nil, err
		}
		compressed, err := gzipBytes(text, level)
		if err != nil {
			return nil, err
		}
		return &plan{
			bytesPerOp: int64(len(text)),
			verified:   "the stream decompresses to the text",
			libraries:  []string{libraryGo},
			instantiate: func() (instance, error) {
				g := &gunzipInstance{compressed: bytes.Clone(compressed), text: bytes.Clone(text)}
				g.source.Reset(g.compressed)
				g.reader, err = gzip.NewReader(&g.source)
				return g, err
			},
		}, nil
	}
}

// gzipJob reads what both take: the text and the level.
func gzipJob(j *job, input string) (text []byte, level int, err error) {
	if err := j.parameters(field{name: "level", into: &level}); err != nil {
		return nil, 0, err
	}
	if level < gzip.BestSpeed || level > gzip.BestCompression {
		return nil, 0, faultf(kindBadRequest, "parameters: level is %d, it must be %d to %d",
			level, gzip.BestSpeed, gzip.BestCompression)
	}
	text, err = j.inputs.take(input)
	return text, level, err
}

// gzipBytes compresses with a writer of its own.
func gzipBytes(text []byte, level int) ([]byte, error) {
	var compressed bytes.Buffer
	writer, err := gzip.NewWriterLevel(&compressed, level)
	if err != nil {
		return nil, err
	}
	if err := compressInto(&compressed, writer, text); err != nil {
		return nil, err
	}
	return compressed.Bytes(), nil
}

func compressInto(out io.Writer, writer *gzip.Writer, text []byte) error {
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
	writer   *gzip.Writer
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
	reader, err := gzip.NewReader(bytes.NewReader(output))
	if err != nil {
		return faultf(kindWrongAnswer, "the stream does not open: %v", err)
	}
	text, err := io.ReadAll(reader)
	if err != nil {
		return faultf(kindWrongAnswer, "the stream does not decompress: %v", err)
	}
	return mustEqual("the round trip", text, g.text)
}

type gunzipInstance struct {
	compressed []byte
	source     bytes.Reader
	reader     *gzip.Reader
	text       []byte
}

func (g *gunzipInstance) Op() error {
	length, err := g.decompress(io.Discard)
	if err == nil && length != int64(len(g.text)) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

func (g *gunzipInstance) decompress(out io.Writer) (int64, error) {
	g.source.Reset(g.compressed)
	if err := g.reader.Reset(&g.source); err != nil {
		return 0, err
	}
	return io.Copy(out, g.reader)
}

func (g *gunzipInstance) Output() ([]byte, error) {
	var text bytes.Buffer
	_, err := g.decompress(&text)
	return text.Bytes(), err
}

func (g *gunzipInstance) Check(output []byte) error {
	return mustEqual("the decompressed text", output, g.text)
}
