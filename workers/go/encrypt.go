package main

import (
	"bytes"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"hash"

	"golang.org/x/crypto/chacha20poly1305"

	"sizeup/gokit/protocol"
)

// The encryptions of kopia's repo/encryption: a key for each block, made of a
// secret and the block's content ID, a random nonce in front, and the content ID
// as additional data. kopia copies a block before and after; that is not the
// libraries' work, and is not done here.
var (
	blockAES256GCM = cipherChoice{"aes-256-gcm", libraryGo, 32, func(key []byte) (cipher.AEAD, error) {
		block, err := aes.NewCipher(key)
		if err != nil {
			return nil, err
		}
		return cipher.NewGCM(block)
	}}
	blockChaCha20Poly1305 = cipherChoice{
		"chacha20-poly1305", libraryXCrypto, chacha20poly1305.KeySize, chacha20poly1305.New,
	}
)

// encryptSecret is the length of the secret 00 01 … 1f that keys are made with.
const encryptSecret = 32

// encryptContentID is the length of the content ID 00 01 … 0f of a block that
// nothing was hashed for.
const encryptContentID = 16

// blockJob reads what encryption and pipeline both take.
func blockJob(j *job) (messageBytes int, err error) {
	var data string
	err = j.parameters(protocol.Field{Name: "message_bytes", Into: &messageBytes}, generated(&data))
	if err != nil {
		return 0, err
	}
	if messageBytes < 1 || messageBytes > maxMessage {
		return 0, protocol.Faultf(protocol.KindBadRequest,
			"parameters: message_bytes is %d, it must be 1 to %d", messageBytes, maxMessage)
	}
	return messageBytes, mustBeGenerated(data, randomName)
}

// planEncrypt plans the encryption of a block.
func planEncrypt(choice cipherChoice) func(*job) (*plan, error) {
	return func(j *job) (*plan, error) {
		messageBytes, err := blockJob(j)
		if err != nil {
			return nil, err
		}
		return &plan{
			bytesPerOp: int64(messageBytes),
			verified:   "the block decrypts to itself with a key made anew",
			libraries:  librariesOf(choice.library, libraryGo),
			instantiate: func() (instance, error) {
				block := random(messageBytes)
				return &encryptInstance{newEncryptor(choice, messageBytes), block, counting(encryptContentID)}, nil
			},
		}, nil
	}
}

// librariesOf is these libraries, each once.
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

// encryptor encrypts blocks, with state that is reused.
type encryptor struct {
	choice cipherChoice
	derive hash.Hash // makes keys of content IDs
	key    []byte
	sealed []byte // nonce, ciphertext and tag of the last block
}

// sealOverhead is the bytes of nonce and tag, the same for both ciphers.
const sealOverhead = 12 + 16

func newEncryptor(choice cipherChoice, blockBytes int) *encryptor {
	return &encryptor{
		choice: choice,
		derive: hmac.New(sha256.New, counting(encryptSecret)),
		key:    make([]byte, 0, sha256.Size),
		sealed: make([]byte, 0, blockBytes+sealOverhead),
	}
}

// wipe clears what the last op made, for the next one to be checked: a key that was
// left there would encrypt as well as one made anew.
func (e *encryptor) wipe() {
	clear(e.key)
	clear(e.sealed)
}

func (e *encryptor) encrypt(block, contentID []byte) error {
	e.key = hashWith(e.derive, contentID, e.key[:0])
	aead, err := e.choice.open(e.key)
	if err != nil {
		return err
	}
	nonce := e.sealed[:aead.NonceSize()]
	if _, err := rand.Read(nonce); err != nil {
		return err
	}
	e.sealed = aead.Seal(nonce, nonce, block, contentID)
	return nil
}

// mustDecrypt opens a sealed block with nothing that the encryptor used.
func mustDecrypt(choice cipherChoice, sealed, contentID, block []byte) error {
	derive := hmac.New(sha256.New, counting(encryptSecret))
	_, _ = derive.Write(contentID) // a hash.Hash never returns an error
	aead, err := choice.open(derive.Sum(nil))
	if err != nil {
		return err
	}
	if len(sealed) < aead.NonceSize() {
		return protocol.Faultf(protocol.KindWrongAnswer, "the encrypted block has %d bytes, which is no nonce", len(sealed))
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
	block     []byte
	contentID []byte
}

func (e *encryptInstance) Op() error { return e.encrypt(e.block, e.contentID) }

func (e *encryptInstance) Output() ([]byte, error) {
	e.wipe()
	err := e.Op()
	return bytes.Clone(e.sealed), err
}

func (e *encryptInstance) Check(output []byte) error {
	return mustDecrypt(e.choice, output, e.contentID, e.block)
}

// planPipeline plans what kopia does with each block: hash it, then encrypt it
// with the hash as content ID.
func planPipeline(hashName string, choice cipherChoice) func(*job) (*plan, error) {
	hash := keyedHashNamed(hashName)
	return func(j *job) (*plan, error) {
		messageBytes, err := blockJob(j)
		if err != nil {
			return nil, err
		}
		known, ok := knownHash(hashName, messageBytes)
		if !ok {
			return nil, protocol.Faultf(protocol.KindBadRequest,
				"parameters: %s of %d bytes has no known answer", hashName, messageBytes)
		}
		return &plan{
			bytesPerOp: int64(messageBytes),
			verified:   "the content ID is the known answer, and the block decrypts to itself with a key made anew",
			libraries:  librariesOf(hash.library, choice.library, libraryGo),
			instantiate: func() (instance, error) {
				state, err := hash.make(counting(hashKeyBytes))
				if err != nil {
					return nil, err
				}
				encrypt := encryptInstance{
					encryptor: newEncryptor(choice, messageBytes),
					block:     random(messageBytes),
					contentID: make([]byte, 0, state.Size()),
				}
				return &pipelineInstance{encrypt, state, known}, nil
			},
		}, nil
	}
}

type pipelineInstance struct {
	encryptInstance
	state hash.Hash
	known []byte // what the content ID must be
}

func (p *pipelineInstance) Op() error {
	p.contentID = hashWith(p.state, p.block, p.contentID[:0])[:len(p.known)]
	return p.encrypt(p.block, p.contentID)
}

func (p *pipelineInstance) Output() ([]byte, error) {
	clear(p.contentID)
	p.wipe()
	err := p.Op()
	return append(bytes.Clone(p.contentID), p.sealed...), err
}

func (p *pipelineInstance) Check(output []byte) error {
	if len(output) < len(p.known) {
		return protocol.Faultf(protocol.KindWrongAnswer, "%d bytes are no content ID", len(output))
	}
	contentID, sealed := output[:len(p.known)], output[len(p.known):]
	if err := mustEqual("the content ID", contentID, p.known); err != nil {
		return err
	}
	return mustDecrypt(p.choice, sealed, contentID, p.block)
}
