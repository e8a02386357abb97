package main

import (
	"bytes"
	"hash/crc32"
	"io"

	"sizeup/gokit/protocol"
)

// copyBytes is the length of the buffer that a piece goes through if its writer or reader does not
// copy by itself.
const copyBytes = 64 << 10

// pieceJob is a request's piece and stream.
type pieceJob struct {
	format
	stream
	concurrency int    // of the writer
	pieceBytes  int    // what one op compresses, or produces
	text        []byte // the source of the piece; nil for random bytes
}

// pieceOperation is one of a format's two operations, which take the same parameters.
func pieceOperation(verb string, f format, planPiece func(*pieceJob) (*plan, error)) operation {
	ranges := protocol.Ranges{
		"level": protocol.OneOf(f.levels...), "concurrency": f.concurrency, "piece_bytes": anyLength,
		"gather_bytes": onlyGatherBytes, "data": protocol.OneOf(randomName, editedTextName),
	}
	return declare(verb+"-"+f.name, func(j *job) (_ *plan, err error) {
		p := &pieceJob{
			format:      f,
			stream:      stream{f.name, j.Text("level"), j.Text("data")},
			concurrency: j.Integer("concurrency"),
			pieceBytes:  j.Integer("piece_bytes"),
		}
		if p.data == editedTextName {
			if p.text, err = j.Inputs.Take("data"); err != nil {
				return nil, err
			}
		}
		return planPiece(p)
	}, ranges, "data")
}

// piece makes the piece.
func (p *pieceJob) piece() ([]byte, error) {
	if p.data == editedTextName {
		return editedText(p.text, p.pieceBytes)
	}
	return random(p.pieceBytes), nil
}

// compress compresses the piece with a writer of its own.
func (p *pieceJob) compress() ([]byte, error) {
	piece, err := p.piece()
	if err != nil {
		return nil, err
	}
	c, err := newCompressInstance(p, piece)
	if err != nil {
		return nil, err
	}
	stream, err := c.Output()
	return bytes.Clone(stream), err
}

// planCompress plans the compression of a piece with a reused writer. As in kopia, the piece comes
// from the chunks in which it was gathered, and the output is gathered, too.
func planCompress(p *pieceJob) (*plan, error) {
	verified := "the stream matches the known answer and decompresses to the piece"
	sum, isPinned := p.pinned()
	if !isPinned {
		verified = "the stream matches a fresh writer's and decompresses to the piece"
		fresh, err := p.compress()
		if err != nil {
			return nil, err
		}
		sum = crc32.ChecksumIEEE(fresh)
	}
	return &plan{
		BytesPerOp:    int64(p.pieceBytes),
		Verified:      verified,
		Libraries:     []string{p.library},
		StartsThreads: p.startsThreads(p.concurrency),
		Instantiate: func() (instance, error) {
			piece, err := p.piece()
			if err != nil {
				return nil, err
			}
			c, err := newCompressInstance(p, piece)
			if err != nil {
				return nil, err
			}
			c.expected = sum
			return c, nil
		},
	}, nil
}

// pinned is the CRC-32 of the stream, if it is known.
func (p *pieceJob) pinned() (sum uint32, isPinned bool) {
	sum, isPinned = knownStreams[p.stream]
	return sum, isPinned && p.pieceBytes == knownBytes
}

// planDecompress plans the decompression of planCompress's output, with a reused reader, from and
// into chunks. Its bytes are the uncompressed ones.
func planDecompress(p *pieceJob) (*plan, error) {
	compressed, err := p.compress()
	if err != nil {
		return nil, err
	}
	if sum, isPinned := p.pinned(); isPinned {
		if err := mustHaveSum(compressed, sum); err != nil {
			return nil, err
		}
	}
	return &plan{
		BytesPerOp:    int64(p.pieceBytes),
		Verified:      "the stream decompresses to the piece",
		Libraries:     []string{p.library},
		StartsThreads: p.readerStartsThreads,
		Instantiate: func() (instance, error) {
			piece, err := p.piece()
			if err != nil {
				return nil, err
			}
			return newDecompressInstance(p.format, bytes.Clone(compressed), piece)
		},
	}, nil
}

func mustHaveSum(stream []byte, expected uint32) error {
	if sum := crc32.ChecksumIEEE(stream); sum != expected {
		return protocol.Faultf(protocol.KindWrongAnswer, "the stream has CRC-32 %08x, not %08x", sum, expected)
	}
	return nil
}

type compressInstance struct {
	format   format
	writer   resetWriter
	piece    []byte
	source   gatherReader
	copied   []byte // between source and writer
	stream   *gatherBuffer
	expected uint32 // CRC-32 of the stream: a round trip alone would miss a bit of padding
}

func newCompressInstance(p *pieceJob, piece []byte) (*compressInstance, error) {
	writer, err := p.writer(p.level, p.concurrency)
	if err != nil {
		return nil, err
	}
	return &compressInstance{
		format: p.format,
		writer: writer,
		piece:  piece,
		source: gatherReader{buffer: gathered(piece)},
		copied: make([]byte, copyBytes),
		// Incompressible data grows: by a thousandth in LZ4, by less elsewhere.
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

// Output returns the stream in place, as all operations with megabytes of output do: a copy of each
// would double the memory of the process.
func (c *compressInstance) Output() ([]byte, error) {
	clear(c.stream.whole)
	err := c.Op()
	return c.stream.whole, err
}

func (c *compressInstance) Check(output []byte) error {
	if err := mustHaveSum(output, c.expected); err != nil {
		return err
	}
	d, err := newDecompressInstance(c.format, output, c.piece)
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
	copied []byte // between reader and made
	piece  []byte
	made   *gatherBuffer
}

func newDecompressInstance(f format, compressed, piece []byte) (*decompressInstance, error) {
	reader, err := f.reader()
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
