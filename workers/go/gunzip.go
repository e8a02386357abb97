package main

import (
	"bytes"
	"io"
)

// planGunzip plans decompressing what planGzip makes of an input by the standard
// library.
func planGunzip(input string) func(*job) (*plan, error) {
	return func(j *job) (*plan, error) {
		text, level, err := gzipJob(j, input)
		if err != nil {
			return nil, err
		}
		compressed, err := goGzip.compress(text, level)
		if err != nil {
			return nil, err
		}
		return gunzipPlan(goGzip, compressed, text), nil
	}
}

// planGunzipInput plans decompressing the input stream, which is the input plain
// compressed: the same stream for every implementation.
func planGunzipInput(gz gzipLibrary, stream, plain string) func(*job) (*plan, error) {
	return func(j *job) (*plan, error) {
		compressed, text, err := streamJob(j, stream, plain)
		if err != nil {
			return nil, err
		}
		return gunzipPlan(gz, compressed, text), nil
	}
}

// streamJob reads what decompressing an input takes: the stream and its text.
func streamJob(j *job, stream, plain string) (compressed, text []byte, err error) {
	if err := j.parameters(); err != nil {
		return nil, nil, err
	}
	if compressed, err = j.inputs.Take(stream); err != nil {
		return nil, nil, err
	}
	text, err = j.inputs.Take(plain)
	return compressed, text, err
}

// gunzipPlan decompresses with a reader that is reused. Its bytes are the
// uncompressed ones.
func gunzipPlan(gz gzipLibrary, compressed, text []byte) *plan {
	return &plan{
		bytesPerOp: int64(len(text)),
		verified:   "the stream decompresses to the text",
		libraries:  []string{gz.library},
		instantiate: func() (instance, error) {
			g := &gunzipInstance{compressed: bytes.Clone(compressed), text: bytes.Clone(text)}
			g.source.Reset(g.compressed)
			var err error
			g.reader, err = gz.newReader(&g.source)
			return g, err
		},
	}
}

type gunzipInstance struct {
	compressed []byte
	source     bytes.Reader
	reader     gzipReader
	text       []byte
}

func (g *gunzipInstance) Op() error {
	length, err := g.decompress(io.Discard)
	if err == nil && length != int64(len(g.text)) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

// decompress copies as io.Copy does it: by the reader's own WriteTo where it has
// one, as klauspost's does.
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
