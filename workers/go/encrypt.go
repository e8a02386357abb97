package main

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"hash"

	"golang.org/x/crypto/chacha20poly1305"

	"sizeup/gokit/protocol"
)

// The encryptions of kopia's repo/encryption, by its names: a key for each block, derived from a
// secret and the block's content ID, a random nonce in front, and the content ID as additional
// data. Before encryption a block is copied from its gathered chunks into one piece; afterwards it
// is appended to such chunks.
var (
	blockAES256GCM        = cipherChoice{"AES256-GCM-HMAC-SHA256", libraryGo, 32, openAESGCM}
	blockChaCha20Poly1305 = cipherChoice{
		"CHACHA20-POLY1305-HMAC-SHA256", libraryXCrypto, chacha20poly1305.KeySize, chacha20poly1305.New,
	}
)

// encryptSecret is the length of the secret 00 01 … 1f that keys are derived from.
const encryptSecret = 32

// encryptContentID is the length of the content ID 00 01 … 0f of a block without a hash.
const encryptContentID = 16

// encryptOperation encrypts blocks with an implementation's cipher.
func encryptOperation(implementation string, choice cipherChoice) operation {
	ranges := protocol.Ranges{
		"algorithm": protocol.OneOf(choice.name), "message_bytes": anyLength,
		"gather_bytes": onlyGatherBytes, "data": onlyRandom,
	}
	return declare("encrypt/"+implementation, func(j *job) (*plan, error) {
		return planEncrypt(choice, j.Integer("message_bytes")), nil
	}, ranges)
}

func planEncrypt(choice cipherChoice, messageBytes int) *plan {
	return &plan{
		BytesPerOp: int64(messageBytes),
		Verified:   "the block decrypts to the original with a freshly derived key",
		Libraries:  librariesOf(choice.library, libraryGo),
		Instantiate: func() (instance, error) {
			block := gathered(random(messageBytes))
			return &encryptInstance{newEncryptor(choice, messageBytes), block, counting(encryptContentID)}, nil
		},
	}
}

// librariesOf returns these libraries without duplicates.
func librariesOf(names ...string) (libraries []string) {
	seen := map[string]bool{}
	for _, name := range names {
		if !seen[name] {
			libraries = append(libraries, name)
		}
		seen[name] = true
	}
	return libraries
}

// encryptor encrypts blocks, with reused state.
type encryptor struct {
	choice cipherChoice
	derive hash.Hash // derives keys from content IDs
	key    []byte
	piece  []byte        // nonce, ciphertext and tag of the last block, as sealed
	sealed *gatherBuffer // the same, gathered
}

// sealOverhead is the length of nonce and tag, the same for both ciphers.
const sealOverhead = 12 + 16

func newEncryptor(choice cipherChoice, blockBytes int) *encryptor {
	return &encryptor{
		choice: choice,
		derive: hmac.New(sha256.New, counting(encryptSecret)),
		key:    make([]byte, 0, sha256.Size),
		piece:  make([]byte, blockBytes+sealOverhead),
		sealed: newGatherBuffer(blockBytes + sealOverhead),
	}
}

// wipe clears the last op's output and key before the next op is checked: a leftover key would
// encrypt as well as a freshly derived one.
func (e *encryptor) wipe() {
	clear(e.key)
	clear(e.piece)
	clear(e.sealed.whole)
}

func (e *encryptor) encrypt(block *gatherBuffer, contentID []byte) error {
	e.key = hashWith(e.derive, contentID, e.key[:0])
	aead, err := e.choice.open(e.key)
	if err != nil {
		return err
	}
	nonce := e.piece[:aead.NonceSize()]
	plain := block.appendTo(e.piece[len(nonce):len(nonce)])
	if _, err := rand.Read(nonce); err != nil {
		return err
	}
	e.piece = aead.Seal(nonce, nonce, plain, contentID)
	e.sealed.reset()
	_, err = e.sealed.Write(e.piece)
	return err
}

// mustDecrypt opens a sealed block with nothing from the encryptor.
func mustDecrypt(choice cipherChoice, sealed, contentID, block []byte) error {
	derive := hmac.New(sha256.New, counting(encryptSecret))
	_, _ = derive.Write(contentID) // a hash.Hash never returns an error
	aead, err := choice.open(derive.Sum(nil))
	if err != nil {
		return err
	}
	if len(sealed) < aead.NonceSize() {
		return protocol.Faultf(protocol.KindWrongAnswer, "the encrypted block has %d bytes, too few for a nonce", len(sealed))
	}
	nonce, ciphertext := sealed[:aead.NonceSize()], sealed[aead.NonceSize():]
	opened, err := aead.Open(nil, nonce, ciphertext, contentID)
	if err != nil {
		return protocol.Faultf(protocol.KindWrongAnswer, "the encrypted block does not decrypt: %v", err)
	}
	return mustEqual("the decrypted block", opened, block)
}

type encryptInstance struct {
	*encryptor
	block     *gatherBuffer
	contentID []byte
}

func (e *encryptInstance) Op() error { return e.encrypt(e.block, e.contentID) }

func (e *encryptInstance) Output() ([]byte, error) {
	e.wipe()
	err := e.Op()
	return bytes.Clone(e.sealed.whole), err
}

func (e *encryptInstance) Check(output []byte) error {
	return mustDecrypt(e.choice, output, e.contentID, e.block.whole)
}
