package main

import (
	"crypto/cipher"
	"io"
	"slices"
	"testing"
)

// Instances reuse their memory, so that the right answer of the op before lies where
// the next one writes. An op that writes nothing must not pass by it.

// breakOff has the next op of an instance panic before it writes anything. What it
// returns says whether the memory of the last answer is wiped; it is nil where each
// op makes memory of its own.
func breakOff(t *testing.T, inst instance) (isWiped func() bool) {
	t.Helper()
	switch i := inst.(type) {
	case *sealInstance:
		i.aead = nil
		return wiped(i.sealed)
	case *digestInstance:
		i.sum = nil
		return wiped(i.digest)
	case *hashInstance:
		i.hash = nil
		return wiped(i.sum)
	case *encryptInstance:
		i.derive = nil
		return wiped(i.key, i.piece, i.sealed.whole)
	case *pipelineInstance:
		i.state = nil
		return wiped(i.contentID, i.key, i.piece, i.sealed.whole, i.pack.whole)
	case *zstdInstance:
		i.encoder = nil
		return wiped(i.frame)
	case *unzstdInstance:
		i.decoder = nil
		return wiped(i.decoded)
	case *compressInstance:
		i.writer = nil
		return wiped(i.stream.whole)
	case *decompressInstance:
		i.reader = nil
		return wiped(i.made.whole)
	case *splitInstance:
		i.splitter = nil
		return wiped(i.cuts)
	case *encodeInstance:
		i.encoder = nil
		return wiped(i.parity)
	case *reconstructInstance:
		i.encoder = nil
		return wiped(i.data[:i.lost*i.shardBytes])
	case *eccEncodeInstance:
		i.encoder = nil
		return wiped(i.stored.whole)
	case *eccDecodeInstance:
		i.encoder = nil
		return wiped(i.loaded.whole)
	case *gzipInstance, *gunzipInstance, *htmlInstance, *replacerInstance, *regexpInstance, *agreementInstance,
		*rsaSigner, *rsaVerifier, *ecdsaSigner, *ecdsaVerifier, *emptyInstance:
		return nil
	}
	t.Fatalf("say here where a %T keeps what the last op made, or that it keeps nothing", inst)
	return nil
}

// wiped says later whether all of these memories are zero.
func wiped[T byte | int](memories ...[]T) func() bool {
	return func() bool {
		return !slices.ContainsFunc(memories, func(memory []T) bool {
			return slices.ContainsFunc(memory, func(value T) bool { return value != 0 })
		})
	}
}

// theLastAnswerIsWiped leaves the instance broken.
func theLastAnswerIsWiped(t *testing.T, inst instance) {
	t.Helper()
	isWiped := breakOff(t, inst)
	if isWiped == nil {
		return
	}
	if isWiped() {
		t.Fatal("the last answer is not where this test looks for it")
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = inst.Output()
		t.Error("the op did not break off")
	}()
	if !isWiped() {
		t.Error("the answer of the op before lies there while the next op is verified")
	}
}

// idleBytes is the length of the pieces that idle libraries are asked for.
const idleBytes = 200_000

// idle is libraries that say that they have done it.
type (
	idleSealer struct{ cipher.AEAD }
	idleOpener struct{ cipher.AEAD }
	idleWriter struct {
		out    *gatherBuffer
		length int // of what it seems to write
	}
	idleReader struct{ left int }
)

func (a idleSealer) Seal(dst, _, plaintext, _ []byte) []byte {
	return dst[:len(dst)+len(plaintext)+a.Overhead()]
}

func (a idleOpener) Open(dst, nonce, sealed, data []byte) ([]byte, error) {
	opened, err := a.AEAD.Open(nil, nonce, sealed, data)
	return dst[:len(dst)+len(opened)], err
}

func (w *idleWriter) Reset(out io.Writer)         { w.out = out.(*gatherBuffer) }
func (w *idleWriter) Write(p []byte) (int, error) { return len(p), nil }
func (w *idleWriter) Close() error {
	_, err := w.out.Write(w.out.whole[:w.length]) // onto itself
	return err
}

func (r *idleReader) reset(io.Reader) error { r.left = idleBytes; return nil }
func (r *idleReader) Read(p []byte) (int, error) {
	length := min(len(p), r.left)
	if r.left -= length; length == 0 {
		return 0, io.EOF
	}
	return length, nil
}

func TestAnOpThatWritesNothingIsNoticed(t *testing.T) {
	for _, c := range []struct {
		sample
		what string
		idle func(instance)
	}{
		{quick, "sealing", func(inst instance) { s := inst.(*sealInstance); s.aead = idleSealer{s.aead} }},
		{quick, "opening", func(inst instance) { s := inst.(*sealInstance); s.opener = idleOpener{s.opener} }},
		{sample{"hash/go", `{"algorithm":"sha-256","message_bytes":16384}`}, "hashing", func(inst instance) {
			inst.(*digestInstance).sum = func(out, _ []byte) []byte { return out[:32] }
		}},
		{sample{"highwayhash-256/minio", `{"message_bytes":1000,"data":"random-1"}`}, "hashing", func(inst instance) {
			h := inst.(*hashInstance)
			sum := h.sum
			h.hash = func() []byte { return sum }
		}},
		{sample{"compress-s2/klauspost", pieceOf("default", 0, idleBytes)}, "compressing", func(inst instance) {
			c := inst.(*compressInstance)
			c.writer = &idleWriter{length: len(c.stream.whole)}
		}},
		{sample{"decompress-s2/klauspost", pieceOf("default", 0, idleBytes)}, "decompressing", func(inst instance) {
			inst.(*decompressInstance).reader = &idleReader{}
		}},
	} {
		t.Run(c.operation+" "+c.what, func(t *testing.T) {
			inst := c.instance(t)
			if _, err := verify(inst, -1); err != nil {
				t.Fatal(err)
			}
			c.idle(inst)
			if _, err := verify(inst, -1); err == nil {
				t.Error("the answer of the op before passed")
			}
		})
	}
}
