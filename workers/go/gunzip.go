package main

import (
	"bytes"
	"io"
)

// planGunzipOwn plans decompressing the standard library's own output of planGzip for an input.
func planGunzipOwn(j *job) (*plan, error) {
	text, err := j.Inputs.Take("data")
	if err != nil {
		return nil, err
	}
	compressed, err := goGzip.compress(text, j.Integer("level"))
	if err != nil {
		return nil, err
	}
	return gunzipPlan(goGzip, compressed, text), nil
}

// planGunzip plans decompressing a given stream: the same for every implementation.
func planGunzip(gz gzipLibrary) func(*job) (*plan, error) {
	return func(j *job) (*plan, error) {
		compressed, text, err := takeStream(j)
		if err != nil {
			return nil, err
		}
		return gunzipPlan(gz, compressed, text), nil
	}
}

// takeStream takes the inputs of decompressing: the stream and its text.
func takeStream(j *job) (compressed, text []byte, err error) {
	if compressed, err = j.Inputs.Take("stream"); err != nil {
		return nil, nil, err
	}
	text, err = j.Inputs.Take("data")
	return compressed, text, err
}

// gunzipPlan decompresses with a reused reader. Its bytes are the uncompressed ones.
func gunzipPlan(gz gzipLibrary, compressed, text []byte) *plan {
	return &plan{
		BytesPerOp: int64(len(text)),
		Verified:   "the stream decompresses to the text",
		Libraries:  []string{gz.library},
		Instantiate: func() (instance, error) {
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

// decompress copies like io.Copy: by the reader's own WriteTo if it has one, as klauspost's does.
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
