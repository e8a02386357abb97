package main

import (
	"bytes"
	"testing"
)

// unzstdOf is an instance for a text, compressed by klauspost's encoder.
func unzstdOf(t *testing.T) *unzstdInstance {
	t.Helper()
	return trial{"unzstd/klauspost", `{}`}.instance(t).(*unzstdInstance)
}

func TestAFrameIsDecodedIntoABufferThatTheDecoderAllocated(t *testing.T) {
	// The most that the decoder's fast copies may write past their end: klauspost's
	// compressedBlockOverAlloc, zstd/blockdec.go.
	const slack = 16
	u := unzstdOf(t)
	own, err := u.decoder.DecodeAll(u.frame, nil)
	if err != nil {
		t.Fatal(err)
	}
	first := &u.decoded[0]
	if err := u.Op(); err != nil {
		t.Fatal(err)
	}
	if cap(u.decoded) < len(u.text)+slack || cap(u.decoded) != cap(own) {
		t.Errorf("the buffer has %d bytes for a text of %d; the decoder's own has %d", cap(u.decoded), len(u.text), cap(own))
	}
	if &u.decoded[0] != first {
		t.Error("an op made another buffer")
	}
}

func TestAFrameOfAnotherTextIsRefusedBeforeTheFirstOp(t *testing.T) {
	u := unzstdOf(t)
	other := bytes.Clone(u.text)
	other[100] ^= 1
	if _, err := newUnzstdInstance(u.frame, other); err == nil {
		t.Error("the frame is accepted")
	}
	if _, err := newUnzstdInstance(u.frame[:len(u.frame)-1], u.text); err == nil {
		t.Error("half a frame is accepted")
	}
}
