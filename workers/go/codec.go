package main

import (
	"compress/gzip"
	"io"
	"maps"
	"slices"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/klauspost/pgzip"
	"github.com/pierrec/lz4/v4"

	"sizeup/gokit/protocol"
)

// format is a compressor with the options of kopia's repo/compression (0.23.1; version 0.12, which
// the study is about, differs only in decompression, where it made a new reader each time). Both
// use the standard library's gzip; lz4 was pierrec's version 2.6 and was dropped in 0.23.
type format struct {
	name                string // with the implementation, as in operations
	library             string
	levels              []string // by the library's names
	concurrency         protocol.Range
	readerStartsThreads bool
	writer              func(level string, concurrency int) (resetWriter, error)
	reader              func() (resetReader, error)
}

// startsThreads reports whether the writer hands work to goroutines. pgzip's always does.
func (f format) startsThreads(concurrency int) bool {
	return concurrency != 1 || f.library == libraryPgzip
}

// resetWriter is the interface of all these libraries' writers.
type resetWriter interface {
	io.WriteCloser
	Reset(io.Writer)
}

// resetReader is a reader that can be reset.
type resetReader interface {
	io.Reader
	reset(io.Reader) error
}

// The range of a writer's concurrency: 1 for no goroutines of its own, 0 for as many as GOMAXPROCS,
// which is its default.
var (
	alone      = protocol.OneOf(1)
	goroutines = protocol.Integers(0, 64)
)

// deflateLevels is the common levels of flate, gzip and pgzip.
var deflateLevels = map[string]int{
	"best-speed": flate.BestSpeed, "default": flate.DefaultCompression, "best-compression": flate.BestCompression,
}

var s2Levels = map[string][]s2.WriterOption{
	"default": nil, "better": {s2.WriterBetterCompression()}, "best": {s2.WriterBestCompression()},
}

var zstdLevels = map[string]zstd.EncoderLevel{
	"fastest": zstd.SpeedFastest, "default": zstd.SpeedDefault,
	"better": zstd.SpeedBetterCompression, "best": zstd.SpeedBestCompression,
}

// formats is kopia's compressors.
var formats = []format{
	{
		name: "deflate/klauspost", library: libraryCompress, levels: keysOf(deflateLevels), concurrency: alone,
		writer: func(level string, _ int) (resetWriter, error) { return flate.NewWriter(nil, deflateLevels[level]) },
		reader: newFlateReader,
	}, {
		name: "gzip/go", library: libraryGo, levels: keysOf(deflateLevels), concurrency: alone,
		writer: func(level string, _ int) (resetWriter, error) { return gzip.NewWriterLevel(nil, deflateLevels[level]) },
		reader: func() (resetReader, error) { return stdGzipReader{new(gzip.Reader)}, nil },
	}, {
		name: "gzip/pgzip", library: libraryPgzip, levels: keysOf(deflateLevels), concurrency: goroutines,
		readerStartsThreads: true,
		writer:              newPgzipWriter,
		reader:              func() (resetReader, error) { return pgzipReader{new(pgzip.Reader)}, nil },
	}, {
		name: "s2/klauspost", library: libraryCompress, levels: keysOf(s2Levels), concurrency: goroutines,
		writer: newS2Writer,
		reader: func() (resetReader, error) { return s2Reader{s2.NewReader(nil)}, nil },
	}, {
		name: "zstd/klauspost", library: libraryCompress, levels: keysOf(zstdLevels), concurrency: goroutines,
		writer: func(level string, concurrency int) (resetWriter, error) {
			return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstdLevels[level]), zstd.WithEncoderConcurrency(concurrency))
		},
		reader: newZstdReader,
	}, {
		name: "lz4/pierrec", library: libraryLZ4, levels: []string{"fast"}, concurrency: alone,
		writer: func(string, int) (resetWriter, error) { return lz4.NewWriter(nil), nil },
		reader: func() (resetReader, error) { return lz4Reader{lz4.NewReader(nil)}, nil },
	},
}

// keysOf returns the keys in alphabetical order.
func keysOf[T any](levels map[string]T) []string { return slices.Sorted(maps.Keys(levels)) }

func newPgzipWriter(level string, concurrency int) (resetWriter, error) {
	writer, err := pgzip.NewWriterLevel(nil, deflateLevels[level])
	if err != nil || concurrency == 0 {
		return writer, err
	}
	const blockBytes = 1 << 20 // pgzip's default: another would change the stream
	return writer, writer.SetConcurrency(blockBytes, concurrency)
}

func newS2Writer(level string, concurrency int) (resetWriter, error) {
	options := s2Levels[level]
	if concurrency > 0 {
		options = append(slices.Clone(options), s2.WriterConcurrency(concurrency))
	}
	return s2.NewWriter(nil, options...), nil
}

func newZstdReader() (resetReader, error) {
	decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	return zstdReader{decoder}, err
}

// Each library's reader is reset in its own way. They are embedded, so that io.Copy finds their
// WriteTo.

type flateReader struct{ inflater }

// inflater is the methods of flate's reader; flate.NewReader only returns an io.ReadCloser, and
// embedding that would hide the rest.
type inflater interface {
	io.Reader
	io.WriterTo
	flate.Resetter
}

func newFlateReader() (resetReader, error) {
	reader, ok := flate.NewReader(nil).(inflater)
	if !ok {
		return nil, protocol.Faultf(protocol.KindInternal, "this release of flate has a reader without WriteTo or Reset")
	}
	return flateReader{reader}, nil
}

func (r flateReader) reset(source io.Reader) error { return r.Reset(source, nil) }

type stdGzipReader struct{ *gzip.Reader }

func (r stdGzipReader) reset(source io.Reader) error { return r.Reset(source) }

type pgzipReader struct{ *pgzip.Reader }

func (r pgzipReader) reset(source io.Reader) error { return r.Reset(source) }

type s2Reader struct{ *s2.Reader }

func (r s2Reader) reset(source io.Reader) error {
	r.Reset(source)
	return nil
}

type zstdReader struct{ *zstd.Decoder }

func (r zstdReader) reset(source io.Reader) error { return r.Reset(source) }

type lz4Reader struct{ *lz4.Reader }

func (r lz4Reader) reset(source io.Reader) error {
	r.Reset(source)
	return nil
}
