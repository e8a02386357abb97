package fidelity

import (
	"bytes"
	"compress/gzip"
	"io"
	"testing"
)

const gzipLevel = 8

func benchmarkGzip(b *testing.B, file string) {
	text := input(b, file)
	writer, err := gzip.NewWriterLevel(io.Discard, gzipLevel)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ResetTimer()
	for range b.N {
		writer.Reset(io.Discard)
		if _, err := writer.Write(text); err != nil {
			b.Fatal(err)
		}
		if err := writer.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func benchmarkGunzip(b *testing.B, file string) {
	text := input(b, file)
	var compressed bytes.Buffer
	writer, err := gzip.NewWriterLevel(&compressed, gzipLevel)
	if err != nil {
		b.Fatal(err)
	}
	if _, err := writer.Write(text); err != nil {
		b.Fatal(err)
	}
	if err := writer.Close(); err != nil {
		b.Fatal(err)
	}
	source := bytes.NewReader(compressed.Bytes())
	reader, err := gzip.NewReader(source)
	if err != nil {
		b.Fatal(err)
	}
	b.SetBytes(int64(len(text)))
	b.ResetTimer()
	for range b.N {
		source.Reset(compressed.Bytes())
		if err := reader.Reset(source); err != nil {
			b.Fatal(err)
		}
		if n, err := io.Copy(io.Discard, reader); err != nil || n != int64(len(text)) {
			b.Fatal(n, err)
		}
	}
}

func BenchmarkGzip8Text(b *testing.B)    { benchmarkGzip(b, "opticks.txt") }
func BenchmarkGzip8Digits(b *testing.B)  { benchmarkGzip(b, "e.txt") }
func BenchmarkGunzipText(b *testing.B)   { benchmarkGunzip(b, "opticks.txt") }
func BenchmarkGunzipDigits(b *testing.B) { benchmarkGunzip(b, "e.txt") }
