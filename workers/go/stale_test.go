package main

import (
	"crypto/cipher"
	"io"
	"slices"
	"testing"

	"sizeup/gokit/work"
)

// Instances reuse their memory, so the correct output of the previous op lies where the next one
// writes. An op that writes nothing must not pass because of it.

// breakOff makes the next op of an instance panic before it writes anything. The returned function
// reports whether the memory of the last output is wiped; it is nil if each op allocates its
// output.
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
	case *sortInstance[uint64]:
		i.sort = nil
		return wiped(i.sorted)
	case *sortInstance[string]:
		i.sort = nil
		return wiped(i.sorted)
	case *imageInstance:
		i.op = nil
		return wiped(i.memory())
	case *gzipInstance, *gunzipInstance, *htmlInstance, *replacerInstance, *regexpInstance, *agreementInstance,
		*rsaSigner, *rsaVerifier, *ecdsaSigner, *ecdsaVerifier, *signInstance, *verifyInstance, *kemKeygen, *kemEncaps,
		*kemDecaps, *handshakes, *emptyInstance, *jsonInstance, *regexFindInstance, *hashInsertInstance:
		return nil
	}
	t.Fatalf("add a case for the memory in which a %T keeps the last op's output, or for none", inst)
	return nil
}

// wiped returns a function that reports whether all of these memories are zero.
func wiped[T comparable](memories ...[]T) func() bool {
	var zero T
	return func() bool {
		return !slices.ContainsFunc(memories, func(memory []T) bool {
			return slices.ContainsFunc(memory, func(value T) bool { return value != zero })
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
		t.Fatal("the last output is not where this test looks for it")
	}
	func() {
		defer func() { _ = recover() }()
		_, _ = inst.Output()
		t.Error("the op did not panic")
	}()
	if !isWiped() {
		t.Error("the previous op's output is still in memory while the next op is verified")
	}
}

// idleBytes is the length of the pieces for the idle libraries.
const idleBytes = 200_000

// The idle types are libraries that claim success without doing the work.
type (
	idleSealer struct{ cipher.AEAD }
	idleOpener struct{ cipher.AEAD }
	idleWriter struct {
		out    *gatherBuffer
		length int // of its apparent output
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

func TestAnOpThatWritesNothingIsDetected(t *testing.T) {
	for _, c := range []struct {
		trial
		what string
		idle func(instance)
	}{
		{quick, "sealing", func(inst instance) { s := inst.(*sealInstance); s.aead = idleSealer{s.aead} }},
		{quick, "opening", func(inst instance) { s := inst.(*sealInstance); s.opener = idleOpener{s.opener} }},
		{trial{"hash/go", `{"algorithm":"sha-256","message_bytes":16384}`}, "hashing", func(inst instance) {
			inst.(*digestInstance).sum = func(out, _ []byte) []byte { return out[:32] }
		}},
		{trial{"highwayhash-256/minio", `{"message_bytes":1000,"data":"random-1"}`}, "hashing", func(inst instance) {
			h := inst.(*hashInstance)
			sum := h.sum
			h.hash = func() []byte { return sum }
		}},
		{trial{"compress-s2/klauspost", pieceOf("default", 0, idleBytes)}, "compressing", func(inst instance) {
			c := inst.(*compressInstance)
			c.writer = &idleWriter{length: len(c.stream.whole)}
		}},
		{trial{"decompress-s2/klauspost", pieceOf("default", 0, idleBytes)}, "decompressing", func(inst instance) {
			inst.(*decompressInstance).reader = &idleReader{}
		}},
	} {
		t.Run(c.operation+" "+c.what, func(t *testing.T) {
			inst := c.instance(t)
			if _, err := work.Verify(inst, -1); err != nil {
				t.Fatal(err)
			}
			c.idle(inst)
			if _, err := work.Verify(inst, -1); err == nil {
				t.Error("the previous op's output passed")
			}
		})
	}
}
