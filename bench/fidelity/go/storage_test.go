package fidelity

import (
	"crypto/aes"
	"crypto/cipher"
	"testing"

	"github.com/klauspost/reedsolomon"
	"github.com/minio/highwayhash"
)

// newEncode makes a function that encodes random shards.
func newEncode(b *testing.B, data, parity, size int) func() error {
	encoder, shards := newShards(b, data, parity, size)
	return func() error { return encoder.Encode(shards) }
}

// newReconstruct makes a function that loses as many data shards as there is parity, and reconstructs them.
func newReconstruct(b *testing.B, data, parity, size int) func() error {
	encoder, shards := newShards(b, data, parity, size)
	if err := encoder.Encode(shards); err != nil {
		b.Fatal(err)
	}
	return func() error {
		for i := range parity {
			shards[i] = shards[i][:0]
		}
		return encoder.ReconstructData(shards)
	}
}

func newShards(b *testing.B, data, parity, size int) (reedsolomon.Encoder, [][]byte) {
	encoder, err := reedsolomon.New(data, parity, reedsolomon.WithMaxGoroutines(1))
	if err != nil {
		b.Fatal(err)
	}
	random := randomBytes(size + data)
	shards := make([][]byte, data+parity)
	for i := range shards {
		shards[i] = make([]byte, size)
		if i < data {
			copy(shards[i], random[i:])
		}
	}
	return encoder, shards
}

func BenchmarkReedSolomon8x8x1MiB(b *testing.B) {
	repeat(b, 8<<20, func() func() error { return newEncode(b, 8, 8, 1<<20) })
}

func BenchmarkReedSolomon8x8x5MiB(b *testing.B) {
	repeat(b, 40<<20, func() func() error { return newEncode(b, 8, 8, 5<<20) })
}

func BenchmarkReedSolomon12x4x1MiB(b *testing.B) {
	repeat(b, 12<<20, func() func() error { return newEncode(b, 12, 4, 1<<20) })
}

func BenchmarkReedSolomon12x4x5MiB(b *testing.B) {
	repeat(b, 60<<20, func() func() error { return newEncode(b, 12, 4, 5<<20) })
}

func BenchmarkReconstruct8x8x1MiB(b *testing.B) {
	repeat(b, 8<<20, func() func() error { return newReconstruct(b, 8, 8, 1<<20) })
}

func BenchmarkReconstruct12x4x1MiB(b *testing.B) {
	repeat(b, 12<<20, func() func() error { return newReconstruct(b, 12, 4, 1<<20) })
}

// Results go here, so that the compiler can't leave the work out.
var highwaySum [highwayhash.Size]byte

func newHighwayHash(size int) func() error {
	message, key := randomBytes(size), make([]byte, 32)
	return func() error {
		sum := highwayhash.Sum(message, key)
		if sum == [highwayhash.Size]byte{} {
			highwaySum = sum
		}
		return nil
	}
}

func BenchmarkHighwayHash1MiB(b *testing.B) {
	repeat(b, 1<<20, func() func() error { return newHighwayHash(1 << 20) })
}

func BenchmarkHighwayHash10MiB(b *testing.B) {
	repeat(b, 10<<20, func() func() error { return newHighwayHash(10 << 20) })
}

func BenchmarkHighwayHash25MiB(b *testing.B) {
	repeat(b, 25<<20, func() func() error { return newHighwayHash(25 << 20) })
}

func newSeal(b *testing.B, size int) func() error {
	block, err := aes.NewCipher(make([]byte, 16))
	if err != nil {
		b.Fatal(err)
	}
	aead, err := cipher.NewGCM(block)
	if err != nil {
		b.Fatal(err)
	}
	nonce, data, message := make([]byte, 12), make([]byte, 13), make([]byte, size)
	sealed := make([]byte, 0, size+16)
	return func() error {
		sealed = aead.Seal(sealed[:0], nonce, message, data)
		return nil
	}
}

func BenchmarkAES128GCMSeal64KiB(b *testing.B) {
	repeat(b, 64<<10, func() func() error { return newSeal(b, 64<<10) })
}

func BenchmarkAES128GCMSeal1MiB(b *testing.B) {
	repeat(b, 1<<20, func() func() error { return newSeal(b, 1<<20) })
}

func BenchmarkAES128GCMSeal10MiB(b *testing.B) {
	repeat(b, 10<<20, func() func() error { return newSeal(b, 10<<20) })
}
