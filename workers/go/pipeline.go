package main

import (
	"bytes"
	"hash"

	"sizeup/gokit/protocol"
)

// blockCiphers is a pipeline's ciphers.
var blockCiphers = []cipherChoice{blockAES256GCM, blockChaCha20Poly1305}

var pipelineRanges = protocol.Ranges{
	"hash": namesOf(keyedHashes), "encryption": namesOf(blockCiphers), "message_bytes": anyLength,
	"gather_bytes": onlyGatherBytes, "pack_bytes": anyLength, "data": onlyRandom,
}

// planPipeline plans what kopia does with each block: hash it, encrypt it with the hash as content
// ID, and append it to a pack.
func planPipeline(j *job) (*plan, error) {
	hash, choice := named(keyedHashes, j.Text("hash")), named(blockCiphers, j.Text("encryption"))
	messageBytes, packBytes := j.Integer("message_bytes"), j.Integer("pack_bytes")
	return &plan{
		BytesPerOp: int64(messageBytes),
		Verified: "the content ID matches " + hash.origin(messageBytes) +
			", and the pack's data decrypts to the block with a freshly derived key",
		Libraries: librariesOf(hash.library, choice.library, libraryGo),
		Instantiate: func() (instance, error) {
			known, err := hash.expected(messageBytes)
			if err != nil {
				return nil, err
			}
			state, err := hash.make(counting(hashKeyBytes))
			if err != nil {
				return nil, err
			}
			encrypt := encryptInstance{
				encryptor: newEncryptor(choice, messageBytes),
				block:     gathered(random(messageBytes)),
				contentID: make([]byte, 0, state.Size()),
			}
			// The last block of a pack may exceed its length.
			pack := newGatherBuffer(packBytes + messageBytes + sealOverhead)
			return &pipelineInstance{encrypt, state, known, packBytes, pack}, nil
		},
	}, nil
}

type pipelineInstance struct {
	encryptInstance
	state hash.Hash
	known []byte // the expected content ID
	// packBytes is the length of a pack at which kopia stores it and begins the next one.
	packBytes int
	pack      *gatherBuffer // the blocks of several ops, this one's last
}

func (p *pipelineInstance) Op() error {
	p.state.Reset()
	if err := p.block.pour(p.state); err != nil {
		return err
	}
	p.contentID = p.state.Sum(p.contentID[:0])[:len(p.known)]
	if err := p.encrypt(p.block, p.contentID); err != nil {
		return err
	}
	if len(p.pack.whole) >= p.packBytes {
		p.pack.reset()
	}
	return p.sealed.pour(p.pack)
}

func (p *pipelineInstance) Output() ([]byte, error) {
	clear(p.contentID)
	p.wipe()
	clear(p.pack.whole[:cap(p.pack.whole)])
	if err := p.Op(); err != nil {
		return nil, err
	}
	last := p.pack.whole[len(p.pack.whole)-len(p.sealed.whole):]
	return append(bytes.Clone(p.contentID), last...), nil
}

func (p *pipelineInstance) Check(output []byte) error {
	if len(output) < len(p.known) {
		return protocol.Faultf(protocol.KindWrongAnswer, "an output of %d bytes is too short for a content ID", len(output))
	}
	contentID, sealed := output[:len(p.known)], output[len(p.known):]
	if err := mustEqual("the content ID", contentID, p.known); err != nil {
		return err
	}
	return mustDecrypt(p.choice, sealed, contentID, p.block.whole)
}
