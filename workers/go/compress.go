package main

import (
	"bytes"
	"io"

	"sizeup/gokit/protocol"
)

// pieceBytes is the bytes that one op compresses, or makes.
const pieceBytes = 8 << 20

// pieceOf says where the data of a piece comes from.
type pieceOf struct {
	name  string // with its version
	input string // what it is made out of; may be empty
	make  func(input []byte) ([]byte, error)
}

var (
	randomPiece = pieceOf{randomName, "", func([]byte) ([]byte, error) { return random(pieceBytes), nil }}
	editedPiece = pieceOf{editedTextName, "text", editedText}
)

// planCompress plans the compression of a piece with a writer that is reused,
// into a buffer that is reused.
func planCompress(name string, of pieceOf) func(*job) (*plan, error) {
	return func(j *job) (*plan, error) {
		codec, input, err := pieceJob(j, name, of)
		if err != nil {
			return nil, err
		}
		return &plan{
			bytesPerOp:    pieceBytes,
			verified:      "the stream is the known one and decompresses to the piece",
			libraries:     []string{codec.library},
			startsThreads: codec.concurrency != 1,
			instantiate: func() (instance, error) {
				piece, err := of.make(input)
				if err != nil {
					return nil, err
				}
				c, err := newCompressInstance(codec, piece)
				if err != nil {
					return nil, err
				}
				c.known = func(stream []byte) error { return mustBeKnownStream(name, of, stream) }
				return c, nil
			},
		}, nil
	}
}

// planDecompress plans the decompression of what planCompress makes, with a
// reader that is reused, into a buffer that is reused. Its bytes are the
// uncompressed ones.
func planDecompress(name string, of pieceOf) func(*job) (*plan, error) {
	return func(j *job) (*plan, error) {
		codec, input, err := pieceJob(j, name, of)
		if err != nil {
			return nil, err
		}
		compressed, err := compressPiece(codec, of, input)
		if err != nil {
			return nil, err
		}
		if err := mustBeKnownStream(name, of, compressed); err != nil {
			return nil, err
		}
		return &plan{
			bytesPerOp: pieceBytes,
			verified:   "the stream decompresses to the piece",
			libraries:  []string{codec.library},
			// Of the readers, as kopia sets them up, only this one does.
			startsThreads: codec.library == libraryPgzip,
			instantiate: func() (instance, error) {
				piece, err := of.make(input)
				if err != nil {
					return nil, err
				}
				return newDecompressInstance(codec, bytes.Clone(compressed), piece)
			},
		}, nil
	}
}

// compressPiece compresses a piece with a writer of its own.
func compressPiece(codec codec, of pieceOf, input []byte) ([]byte, error) {
	piece, err := of.make(input)
	if err != nil {
		return nil, err
	}
	c, err := newCompressInstance(codec, piece)
	if err != nil {
		return nil, err
	}
	stream, err := c.Output()
	return bytes.Clone(stream), err
}

// pieceJob reads what both take: the codec, and what the piece is made out of.
func pieceJob(j *job, name string, of pieceOf) (codec, []byte, error) {
	var level, data string
	var concurrency, length int
	err := j.parameters(
		protocol.Field{Name: "level", Into: &level},
		protocol.Field{Name: "concurrency", Into: &concurrency},
		protocol.Field{Name: "piece_bytes", Into: &length},
		generated(&data))
	if err != nil {
		return codec{}, nil, err
	}
	choice := codecs[name]
	if level != choice.level || concurrency != choice.concurrency || length != pieceBytes {
		return codec{}, nil, protocol.Faultf(protocol.KindBadRequest,
			"parameters: level %q, concurrency %d, pieces of %d bytes; this workload has %q, %d and %d",
			level, concurrency, length, choice.level, choice.concurrency, pieceBytes)
	}
	if err := mustBeGenerated(data, of.name); err != nil {
		return codec{}, nil, err
	}
	if of.input == "" {
		return choice, nil, nil
	}
	input, err := j.inputs.Take(of.input)
	return choice, input, err
}

// bufferFor is a buffer that holds so many bytes without growing, and what a
// bytes.Buffer wants to have free when it is read into.
func bufferFor(length int) bytes.Buffer {
	return *bytes.NewBuffer(make([]byte, 0, length+bytes.MinRead))
}

type compressInstance struct {
	codec  codec
	writer resetWriter
	piece  []byte
	stream bytes.Buffer
	known  func(stream []byte) error // a round trip alone would miss a bit of padding
}

func newCompressInstance(codec codec, piece []byte) (*compressInstance, error) {
	writer, err := codec.writer()
	if err != nil {
		return nil, err
	}
	// What can't be compressed becomes longer: by a thousandth in LZ4, by less elsewhere.
	return &compressInstance{codec: codec, writer: writer, piece: piece, stream: bufferFor(len(piece) + len(piece)>>8)}, nil
}

func (c *compressInstance) Op() error {
	c.stream.Reset()
	c.writer.Reset(&c.stream)
	if _, err := c.writer.Write(c.piece); err != nil {
		return err
	}
	return c.writer.Close()
}

// Output gives the stream where it lies, as all that make megabytes do: a copy
// of each would make the process twice as large.
func (c *compressInstance) Output() ([]byte, error) {
	clear(c.stream.Bytes())
	err := c.Op()
	return c.stream.Bytes(), err
}

func (c *compressInstance) Check(output []byte) error {
	if err := c.known(output); err != nil {
		return err
	}
	d, err := newDecompressInstance(c.codec, output, c.piece)
	if err != nil {
		return err
	}
	back, err := d.Output()
	if err != nil {
		return protocol.Faultf(protocol.KindWrongAnswer, "the stream does not decompress: %v", err)
	}
	return d.Check(back)
}

type decompressInstance struct {
	compressed []byte
	source     bytes.Reader
	reader     resetReader
	piece      []byte
	made       bytes.Buffer
}

func newDecompressInstance(codec codec, compressed, piece []byte) (*decompressInstance, error) {
	reader, err := codec.reader()
	return &decompressInstance{compressed: compressed, reader: reader, piece: piece, made: bufferFor(len(piece))}, err
}

// Op reads to the end, where readers compare checksums.
func (d *decompressInstance) Op() error {
	d.source.Reset(d.compressed)
	d.made.Reset()
	if err := d.reader.reset(&d.source); err != nil {
		return err
	}
	length, err := io.Copy(&d.made, d.reader)
	if err == nil && length != int64(len(d.piece)) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

func (d *decompressInstance) Output() ([]byte, error) {
	clear(d.made.Bytes())
	err := d.Op()
	return d.made.Bytes(), err
}

func (d *decompressInstance) Check(output []byte) error {
	return mustEqual("the decompressed piece", output, d.piece)
}
