package main

import (
	"bytes"

	"github.com/klauspost/compress/zstd"

	"sizeup/gokit/protocol"
)

// zstdRanges has zstd's own levels.
var zstdRanges = protocol.Ranges{"level": protocol.Integers(1, 22)}

// planZstd plans compressing an input in one piece, with a reused buffer and encoder.
func planZstd(j *job) (*plan, error) {
	level := j.Integer("level")
	text, err := j.Inputs.Take("data")
	if err != nil {
		return nil, err
	}
	return &plan{
		BytesPerOp:  int64(len(text)),
		Verified:    "the frame decompresses to the text and matches a fresh encoder's",
		Libraries:   []string{libraryCompress},
		Instantiate: func() (instance, error) { return newZstdInstance(bytes.Clone(text), level) },
	}, nil
}

// newZstdEncoder makes an encoder that works on one thread. The package has fewer levels than zstd
// and maps zstd's onto them: 3 to 5 is its default. Frames have no checksum, like those of zstd's
// own one-piece call.
func newZstdEncoder(level int) (*zstd.Encoder, error) {
	return zstd.NewWriter(nil,
		zstd.WithEncoderLevel(zstd.EncoderLevelFromZstd(level)),
		zstd.WithEncoderConcurrency(1),
		zstd.WithEncoderCRC(false))
}

// zstdBytes compresses with an encoder of its own.
func zstdBytes(text []byte, level int) ([]byte, error) {
	encoder, err := newZstdEncoder(level)
	if err != nil {
		return nil, err
	}
	return encoder.EncodeAll(text, nil), nil
}

type zstdInstance struct {
	encoder  *zstd.Encoder
	decoder  *zstd.Decoder // for the round trip
	text     []byte
	expected []byte
	frame    []byte // the buffer
}

func newZstdInstance(text []byte, level int) (*zstdInstance, error) {
	expected, err := zstdBytes(text, level)
	if err != nil {
		return nil, err
	}
	encoder, err := newZstdEncoder(level)
	if err != nil {
		return nil, err
	}
	decoder, err := newZstdDecoder()
	if err != nil {
		return nil, err
	}
	return &zstdInstance{
		encoder:  encoder,
		decoder:  decoder,
		text:     text,
		expected: expected,
		frame:    make([]byte, 0, encoder.MaxEncodedSize(len(text))),
	}, nil
}

// Op has no return code to check: EncodeAll can't fail.
func (z *zstdInstance) Op() error {
	z.frame = z.encoder.EncodeAll(z.text, z.frame[:0])
	return nil
}

func (z *zstdInstance) Output() ([]byte, error) {
	clear(z.frame)
	err := z.Op()
	return bytes.Clone(z.frame), err
}

func (z *zstdInstance) Check(output []byte) error {
	if err := mustEqual("the frame", output, z.expected); err != nil {
		return err
	}
	text, err := z.decoder.DecodeAll(output, nil)
	if err != nil {
		return protocol.Faultf(protocol.KindWrongAnswer, "the frame does not decompress: %v", err)
	}
	return mustEqual("the round trip", text, z.text)
}

// planUnzstd plans decompressing a given frame in one piece, with a reused buffer and decoder.
func planUnzstd(j *job) (*plan, error) {
	compressed, text, err := takeStream(j)
	if err != nil {
		return nil, err
	}
	return &plan{
		BytesPerOp: int64(len(text)),
		Verified:   "the frame decompresses to the text",
		Libraries:  []string{libraryCompress},
		Instantiate: func() (instance, error) {
			return newUnzstdInstance(bytes.Clone(compressed), bytes.Clone(text))
		},
	}, nil
}

// newZstdDecoder makes a decoder that works on one thread.
func newZstdDecoder() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
}

type unzstdInstance struct {
	decoder *zstd.Decoder
	frame   []byte
	text    []byte
	decoded []byte // the buffer
}

// newUnzstdInstance lets the decoder allocate the buffer, once: it leaves itself room after the
// text, because it copies in steps of 16 bytes. With a buffer that ends with the text it copies the
// last blocks with exact lengths, which is slower.
func newUnzstdInstance(frame, text []byte) (*unzstdInstance, error) {
	decoder, err := newZstdDecoder()
	if err != nil {
		return nil, err
	}
	decoded, err := decoder.DecodeAll(frame, nil)
	if err != nil {
		return nil, protocol.Faultf(protocol.KindWrongAnswer, "the frame does not decompress: %v", err)
	}
	u := &unzstdInstance{decoder: decoder, frame: frame, text: text, decoded: decoded}
	return u, u.Check(decoded)
}

func (u *unzstdInstance) Op() (err error) {
	u.decoded, err = u.decoder.DecodeAll(u.frame, u.decoded[:0])
	return err
}

func (u *unzstdInstance) Output() ([]byte, error) {
	clear(u.decoded)
	err := u.Op()
	return bytes.Clone(u.decoded), err
}

func (u *unzstdInstance) Check(output []byte) error {
	return mustEqual("the decompressed text", output, u.text)
}
