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

// newCompress makes a function that compresses data with a writer that is reused, into a buffer that is.
func newCompress(b *testing.B, data []byte, writer compressor, err error) func() error {
	if err != nil {
		b.Fatal(err)
	}
	var out bytes.Buffer
	return func() error {
		out.Reset()
		writer.Reset(&out)
		if _, err := writer.Write(data); err != nil {
			return err
		}
		return writer.Close()
	}
}

func benchmarkCompress(b *testing.B, data []byte, writer compressor, err error) {
	alone(b, len(data), newCompress(b, data, writer, err))
}

func BenchmarkCompressDeflateBestSpeed(b *testing.B) {
	writer, err := flate.NewWriter(nil, flate.BestSpeed)
	benchmarkCompress(b, editedText(b), writer, err)
}

func BenchmarkCompressDeflateDefault(b *testing.B) {
	writer, err := flate.NewWriter(nil, flate.DefaultCompression)
	benchmarkCompress(b, editedText(b), writer, err)
}

func BenchmarkCompressGzipBestSpeed(b *testing.B) {
	writer, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	benchmarkCompress(b, editedText(b), writer, err)
}

func BenchmarkCompressPgzipBestSpeed(b *testing.B) {
	writer, err := pgzip.NewWriterLevel(nil, pgzip.BestSpeed)
	benchmarkCompress(b, editedText(b), writer, err)
}

func BenchmarkCompressPgzip(b *testing.B) {
	writer, err := pgzip.NewWriterLevel(nil, pgzip.DefaultCompression)
	benchmarkCompress(b, editedText(b), writer, err)
}

func BenchmarkCompressS2Default(b *testing.B) {
	benchmarkCompress(b, editedText(b), s2.NewWriter(nil), nil)
}

func BenchmarkCompressS2Parallel4(b *testing.B) {
	benchmarkCompress(b, editedText(b), s2.NewWriter(nil, s2.WriterConcurrency(4)), nil)
}

func BenchmarkCompressS2Parallel4Random(b *testing.B) {
	benchmarkCompress(b, randomBytes(8<<20), s2.NewWriter(nil, s2.WriterConcurrency(4)), nil)
}

func BenchmarkCompressZstd(b *testing.B) {
	writer, err := zstd.NewWriter(nil)
	benchmarkCompress(b, editedText(b), writer, err)
}

func BenchmarkCompressZstdFastest(b *testing.B) {
	writer, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedFastest))
	benchmarkCompress(b, editedText(b), writer, err)
}

func BenchmarkCompressZstdRandom(b *testing.B) {
	writer, err := zstd.NewWriter(nil)
	benchmarkCompress(b, randomBytes(8<<20), writer, err)
}

func BenchmarkCompressLZ4(b *testing.B) {
	benchmarkCompress(b, editedText(b), lz4.NewWriter(nil), nil)
}

func BenchmarkCompressPgzipBestSpeedParallel(b *testing.B) {
	text := editedText(b)
	parallel(b, len(text), func() func() error {
		writer, err := pgzip.NewWriterLevel(nil, pgzip.BestSpeed)
		return newCompress(b, text, writer, err)
	})
}

func BenchmarkCompressZstdParallel(b *testing.B) {
	text := editedText(b)
	parallel(b, len(text), func() func() error {
		writer, err := zstd.NewWriter(nil)
		return newCompress(b, text, writer, err)
	})
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

// benchmarkDecompress reads a stream into a buffer, with a reader that is reused.
func benchmarkDecompress(b *testing.B, stream []byte, size int, reader io.Reader, reset func(io.Reader) error) {
	source := bytes.NewReader(nil)
	out := bytes.NewBuffer(make([]byte, 0, size+bytes.MinRead))
	alone(b, size, func() error {
		source.Reset(stream)
		out.Reset()
		if err := reset(source); err != nil {
			return err
		}
		if _, err := io.Copy(out, reader); err != nil {
			return err
		}
		if out.Len() != size {
			return io.ErrUnexpectedEOF
		}
		return nil
	})
}

func BenchmarkDecompressGzip(b *testing.B) {
	text := editedText(b)
	writer, err := gzip.NewWriterLevel(nil, gzip.DefaultCompression)
	reader := new(gzip.Reader)
	benchmarkDecompress(b, compressed(b, text, writer, err), len(text), reader, reader.Reset)
}

func BenchmarkDecompressPgzip(b *testing.B) {
	text := editedText(b)
	writer, err := pgzip.NewWriterLevel(nil, pgzip.DefaultCompression)
	reader := new(pgzip.Reader)
	benchmarkDecompress(b, compressed(b, text, writer, err), len(text), reader, reader.Reset)
}

func BenchmarkDecompressZstd(b *testing.B) {
	text := editedText(b)
	writer, err := zstd.NewWriter(nil)
	stream := compressed(b, text, writer, err)
	reader, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		b.Fatal(err)
	}
	benchmarkDecompress(b, stream, len(text), reader, reader.Reset)
}

func BenchmarkDecompressS2Default(b *testing.B) {
	text := editedText(b)
	reader := s2.NewReader(nil)
	benchmarkDecompress(b, compressed(b, text, s2.NewWriter(nil), nil), len(text), reader, func(r io.Reader) error {
		reader.Reset(r)
		return nil
	})
}
