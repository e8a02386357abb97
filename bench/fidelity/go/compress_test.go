package fidelity

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/s2"
	"github.com/klauspost/compress/zstd"
	"github.com/klauspost/pgzip"
	"github.com/pierrec/lz4/v4"
)

type compressor interface {
	io.WriteCloser
	Reset(io.Writer)
}

// newCompress makes a function that compresses data with a writer that is reused, out of chunks and into chunks.
func newCompress(b *testing.B, data []byte, writer compressor, err error) func() error {
	if err != nil {
		b.Fatal(err)
	}
	var out gather
	in, between := inChunks(data), make([]byte, 64<<10)
	return func() error {
		out.empty()
		writer.Reset(&out)
		if _, err := io.CopyBuffer(writer, &chunkReader{from: in}, between); err != nil {
			return err
		}
		return writer.Close()
	}
}

func benchmarkCompress(b *testing.B, data []byte, writer func() (compressor, error)) {
	repeat(b, len(data), func() func() error {
		made, err := writer()
		return newCompress(b, data, made, err)
	})
}

func BenchmarkCompressDeflateBestSpeed(b *testing.B) {
	benchmarkCompress(b, editedText(b), func() (compressor, error) { return flate.NewWriter(nil, flate.BestSpeed) })
}

func BenchmarkCompressDeflateDefault(b *testing.B) {
	benchmarkCompress(b, editedText(b), func() (compressor, error) { return flate.NewWriter(nil, flate.DefaultCompression) })
}

func BenchmarkCompressGzipBestSpeed(b *testing.B) {
	benchmarkCompress(b, editedText(b), func() (compressor, error) { return gzip.NewWriterLevel(nil, gzip.BestSpeed) })
}

func BenchmarkCompressPgzipBestSpeed(b *testing.B) {
	benchmarkCompress(b, editedText(b), func() (compressor, error) { return pgzip.NewWriterLevel(nil, pgzip.BestSpeed) })
}

func BenchmarkCompressPgzip(b *testing.B) {
	benchmarkCompress(b, editedText(b), func() (compressor, error) { return pgzip.NewWriterLevel(nil, pgzip.DefaultCompression) })
}

func BenchmarkCompressS2Default(b *testing.B) {
	benchmarkCompress(b, editedText(b), func() (compressor, error) { return s2.NewWriter(nil), nil })
}

func BenchmarkCompressS2Parallel4(b *testing.B) {
	benchmarkCompress(b, editedText(b), func() (compressor, error) { return s2.NewWriter(nil, s2.WriterConcurrency(4)), nil })
}

func BenchmarkCompressS2Parallel4Random(b *testing.B) {
	benchmarkCompress(b, randomBytes(8<<20), func() (compressor, error) { return s2.NewWriter(nil, s2.WriterConcurrency(4)), nil })
}

func BenchmarkCompressZstd(b *testing.B) {
	benchmarkCompress(b, editedText(b), func() (compressor, error) { return zstd.NewWriter(nil) })
}

func BenchmarkCompressZstdFastest(b *testing.B) {
	benchmarkCompress(b, editedText(b), func() (compressor, error) { return zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest)) })
}

func BenchmarkCompressZstdRandom(b *testing.B) {
	benchmarkCompress(b, randomBytes(8<<20), func() (compressor, error) { return zstd.NewWriter(nil) })
}

func BenchmarkCompressLZ4(b *testing.B) {
	benchmarkCompress(b, editedText(b), func() (compressor, error) { return lz4.NewWriter(nil), nil })
}

// compressed is what a writer makes of data.
func compressed(b *testing.B, data []byte, writer compressor, err error) []byte {
	if err != nil {
		b.Fatal(err)
	}
	var out bytes.Buffer
	writer.Reset(&out)
	if _, err := writer.Write(data); err != nil {
		b.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		b.Fatal(err)
	}
	return out.Bytes()
}

// restarted is a reader and how it begins anew.
type restarted struct {
	io.Reader
	reset func(io.Reader) error
}

// benchmarkDecompress reads a stream out of chunks and into chunks, with a reader that is reused.
func benchmarkDecompress(b *testing.B, stream []byte, size int, reader func() (restarted, error)) {
	repeat(b, size, func() func() error {
		made, err := reader()
		if err != nil {
			b.Fatal(err)
		}
		var out gather
		in, between := inChunks(stream), make([]byte, 64<<10)
		return func() error {
			out.empty()
			if err := made.reset(&chunkReader{from: in}); err != nil {
				return err
			}
			if _, err := io.CopyBuffer(&out, made.Reader, between); err != nil {
				return err
			}
			if out.length() != size {
				return io.ErrUnexpectedEOF
			}
			return nil
		}
	})
}

func BenchmarkDecompressGzip(b *testing.B) {
	text := editedText(b)
	writer, err := gzip.NewWriterLevel(nil, gzip.DefaultCompression)
	benchmarkDecompress(b, compressed(b, text, writer, err), len(text), func() (restarted, error) {
		reader := new(gzip.Reader)
		return restarted{reader, reader.Reset}, nil
	})
}

func BenchmarkDecompressPgzip(b *testing.B) {
	text := editedText(b)
	writer, err := pgzip.NewWriterLevel(nil, pgzip.DefaultCompression)
	benchmarkDecompress(b, compressed(b, text, writer, err), len(text), func() (restarted, error) {
		reader := new(pgzip.Reader)
		return restarted{reader, reader.Reset}, nil
	})
}

func BenchmarkDecompressZstd(b *testing.B) {
	text := editedText(b)
	writer, err := zstd.NewWriter(nil)
	benchmarkDecompress(b, compressed(b, text, writer, err), len(text), func() (restarted, error) {
		reader, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
		if err != nil {
			return restarted{}, err
		}
		return restarted{reader, reader.Reset}, nil
	})
}

func BenchmarkDecompressS2Default(b *testing.B) {
	text := editedText(b)
	benchmarkDecompress(b, compressed(b, text, s2.NewWriter(nil), nil), len(text), func() (restarted, error) {
		reader := s2.NewReader(nil)
		return restarted{reader, func(r io.Reader) error {
			reader.Reset(r)
			return nil
		}}, nil
	})
}
