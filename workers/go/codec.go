package main

import (
	"compress/gzip"
	"io"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/klauspost/pgzip"
	"github.com/pierrec/lz4/v4"

	"sizeup/gokit/protocol"
)

// codec is a compressor of kopia's, with the options of its repo/compression
// (0.23.1; of 0.12, which the study is about, the same but for decompression,
// which made a new reader each time). gzip is the standard library's there, in
// both; lz4 was pierrec's version 2.6 and is gone since 0.23.
type codec struct {
	library string
	level   string // as the library calls it
	// concurrency is what the writer is told: 1 for none, 0 for as many
	// goroutines as GOMAXPROCS, which is what a writer takes by itself.
	concurrency int
	writer      func() (resetWriter, error)
	reader      func() (resetReader, error)
}

// resetWriter is what all these libraries' writers are.
type resetWriter interface {
	io.WriteCloser
	Reset(io.Writer)
}

// resetReader is a reader that can begin anew.
type resetReader interface {
	io.Reader
	reset(io.Reader) error
}

// codecs is kopia's 18 compressors, by its names.
var codecs = map[string]codec{
	"deflate-best-speed":       deflateCodec("best-speed", flate.BestSpeed),
	"deflate-default":          deflateCodec("default", flate.DefaultCompression),
	"deflate-best-compression": deflateCodec("best-compression", flate.BestCompression),
	"gzip":                     gzipCodec("default", gzip.DefaultCompression),
	"gzip-best-speed":          gzipCodec("best-speed", gzip.BestSpeed),
	"gzip-best-compression":    gzipCodec("best-compression", gzip.BestCompression),
	"pgzip":                    pgzipCodec("default", pgzip.DefaultCompression),
	"pgzip-best-speed":         pgzipCodec("best-speed", pgzip.BestSpeed),
	"pgzip-best-compression":   pgzipCodec("best-compression", pgzip.BestCompression),
	"s2-default":               s2Codec("default", 0),
	"s2-better":                s2Codec("better", 0, s2.WriterBetterCompression()),
	"s2-parallel-4":            s2Codec("default", 4, s2.WriterConcurrency(4)),
	"s2-parallel-8":            s2Codec("default", 8, s2.WriterConcurrency(8)),
	"zstd":                     zstdCodec(zstd.SpeedDefault),
	"zstd-fastest":             zstdCodec(zstd.SpeedFastest),
	"zstd-better-compression":  zstdCodec(zstd.SpeedBetterCompression),
	"zstd-best-compression":    zstdCodec(zstd.SpeedBestCompression),
	"lz4": {
		library:     libraryLZ4,
		level:       "fast",
		concurrency: 1,
		writer:      func() (resetWriter, error) { return lz4.NewWriter(nil), nil },
		reader:      func() (resetReader, error) { return lz4Reader{lz4.NewReader(nil)}, nil },
	},
}

func deflateCodec(level string, number int) codec {
	return codec{
		library:     libraryCompress,
		level:       level,
		concurrency: 1,
		writer:      func() (resetWriter, error) { return flate.NewWriter(nil, number) },
		reader:      newFlateReader,
	}
}

func gzipCodec(level string, number int) codec {
	return codec{
		library:     libraryGo,
		level:       level,
		concurrency: 1,
		writer:      func() (resetWriter, error) { return gzip.NewWriterLevel(nil, number) },
		reader:      func() (resetReader, error) { return stdGzipReader{new(gzip.Reader)}, nil },
	}
}

func pgzipCodec(level string, number int) codec {
	return codec{
		library: libraryPgzip,
		level:   level,
		writer:  func() (resetWriter, error) { return pgzip.NewWriterLevel(nil, number) },
		reader:  func() (resetReader, error) { return pgzipReader{new(pgzip.Reader)}, nil },
	}
}

func s2Codec(level string, concurrency int, options ...s2.WriterOption) codec {
	return codec{
		library:     libraryCompress,
		level:       level,
		concurrency: concurrency,
		writer:      func() (resetWriter, error) { return s2.NewWriter(nil, options...), nil },
		reader:      func() (resetReader, error) { return s2Reader{s2.NewReader(nil)}, nil },
	}
}

func zstdCodec(level zstd.EncoderLevel) codec {
	return codec{
		library: libraryCompress,
		level:   level.String(),
		writer: func() (resetWriter, error) {
			return zstd.NewWriter(nil, zstd.WithEncoderLevel(level))
		},
		reader: func() (resetReader, error) {
			decoder, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
			return zstdReader{decoder}, err
		},
	}
}

// Each library's reader begins anew in its own way. They are embedded, for
// io.Copy to find their WriteTo.

type flateReader struct{ inflater }

// inflater is what flate's reader has; flate.NewReader says of it only that it is an
// io.ReadCloser, and to embed that would hide the rest.
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
