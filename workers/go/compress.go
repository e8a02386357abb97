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

// copyBytes is the length of the buffer that a piece goes through where its writer or reader does not copy by itself.
const copyBytes = 64 << 10

// planCompress plans the compression of a piece with a writer that is reused. As kopia does it, the piece comes out
// of the chunks that it was gathered in, and what is made of it is gathered, too.
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
// reader that is reused, out of and into chunks. Its bytes are the uncompressed
// ones.
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
	var concurrency, length, chunkBytes int
	err := j.parameters(
		protocol.Field{Name: "level", Into: &level},
		protocol.Field{Name: "concurrency", Into: &concurrency},
		protocol.Field{Name: "piece_bytes", Into: &length},
		protocol.Field{Name: "gather_bytes", Into: &chunkBytes},
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
	if err := mustBeGatherBytes(chunkBytes); err != nil {
		return codec{}, nil, err
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

type compressInstance struct {
	codec  codec
	writer resetWriter
	piece  []byte
	source gatherReader
	copied []byte // by the way from source to writer
	stream *gatherBuffer
	known  func(stream []byte) error // a round trip alone would miss a bit of padding
}

func newCompressInstance(codec codec, piece []byte) (*compressInstance, error) {
	writer, err := codec.writer()
	if err != nil {
		return nil, err
	}
	return &compressInstance{
		codec:  codec,
		writer: writer,
		piece:  piece,
		source: gatherReader{buffer: gathered(piece)},
		copied: make([]byte, copyBytes),
		// What can't be compressed becomes longer: by a thousandth in LZ4, by less elsewhere.
		stream: newGatherBuffer(len(piece) + len(piece)>>8),
	}, nil
}

func (c *compressInstance) Op() error {
	c.source.at = 0
	c.stream.reset()
	c.writer.Reset(c.stream)
	if _, err := io.CopyBuffer(c.writer, &c.source, c.copied); err != nil {
		return err
	}
	return c.writer.Close()
}

// Output gives the stream where it lies, as all that make megabytes do: a copy
// of each would make the process twice as large.
func (c *compressInstance) Output() ([]byte, error) {
	clear(c.stream.whole)
	err := c.Op()
	return c.stream.whole, err
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
	source gatherReader
	reader resetReader
	copied []byte // by the way from reader to made
	piece  []byte
	made   *gatherBuffer
}

func newDecompressInstance(codec codec, compressed, piece []byte) (*decompressInstance, error) {
	reader, err := codec.reader()
	return &decompressInstance{
		source: gatherReader{buffer: gathered(compressed)},
		reader: reader,
		copied: make([]byte, copyBytes),
		piece:  piece,
		made:   newGatherBuffer(len(piece)),
	}, err
}

// Op reads to the end, where readers compare checksums.
func (d *decompressInstance) Op() error {
	d.source.at = 0
	d.made.reset()
	if err := d.reader.reset(&d.source); err != nil {
		return err
	}
	length, err := io.CopyBuffer(d.made, d.reader, d.copied)
	if err == nil && length != int64(len(d.piece)) {
		err = io.ErrUnexpectedEOF
	}
	return err
}

func (d *decompressInstance) Output() ([]byte, error) {
	clear(d.made.whole)
	err := d.Op()
	return d.made.whole, err
}

func (d *decompressInstance) Check(output []byte) error {
	return mustEqual("the decompressed piece", output, d.piece)
}
