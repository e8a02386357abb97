package main

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/sha256"
	"encoding/hex"

	"golang.org/x/crypto/chacha20poly1305"

	"sizeup/gokit/protocol"
)

// cipherChoice is an authenticated cipher with a key of a certain length.
type cipherChoice struct {
	name     string
	library  string
	keyBytes int
	open     func(key []byte) (cipher.AEAD, error)
}

func (c cipherChoice) String() string { return c.name }

// sealed identifies a sealed message.
type sealed struct {
	cipher                string
	messageBytes, adBytes int
}

var (
	aes128GCM        = cipherChoice{"aes-128-gcm", libraryGo, 16, openAESGCM}
	aes256GCM        = cipherChoice{"aes-256-gcm", libraryGo, 32, openAESGCM}
	chaCha20Poly1305 = cipherChoice{
		"chacha20-poly1305", libraryXCrypto, chacha20poly1305.KeySize, chacha20poly1305.New,
	}
)

func openAESGCM(key []byte) (cipher.AEAD, error) {
	block, err := aes.NewCipher(key)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// knownSeals is the SHA-256 of ciphertext and tag that Python's cryptography (OpenSSL) makes from
// the key, nonce, message and data of newSealInstance.
var knownSeals = map[sealed]string{
	{"aes-128-gcm", 1024, 13}:        "06ed77bb04964671d4d97210f2b87d0721e6fd198a5cae0136d64f0e1d536ee4",
	{"aes-128-gcm", 8192, 13}:        "ec8474773c28c02301a41c74aa0bdf4c79cfc395642fa68593e88d5f253e98ca",
	{"aes-128-gcm", 16384, 13}:       "2317c3f8adbb12b48983914537e1622b531df887de5ffbfd0169d940f0b8bc87",
	{"aes-128-gcm", 65536, 13}:       "e6448a4f55b9fa95d68b638969ceda31bbfb61a18743efe3f171eec5334df1f9",
	{"aes-128-gcm", 1048576, 13}:     "9831bcb943796ec77bf5a779cbc1d98db7d9c953c56895562c9ec6e42794f0ad",
	{"aes-128-gcm", 5242880, 13}:     "fa426777aa338b8b54f91c11df4d5e14f6f5362ba1c33eefcb499e870ed01a20",
	{"aes-128-gcm", 10485760, 13}:    "83f44c14c3eb33062152cd3b37a03f9732330aac87b9c9bfbe8de9965eb68c11",
	{"aes-128-gcm", 26214400, 13}:    "da8e023914c5064092f0693b2e994af95ebc11c782ba8f0ed5d09cfb2cfcaa30",
	{"aes-128-gcm", 52428800, 13}:    "55b0a1f3a38e50e25444c84e1df30790c33693a0717fb4033660c492d1b2cf9c",
	{"aes-256-gcm", 1024, 13}:        "29a309a67855ee50d510ad6dd977075d0eb768b90fd77321b566cb6e0b875201",
	{"aes-256-gcm", 8192, 13}:        "f75fd3acbf861c56b3dbbfd181bcbcf12c49597fd3c4c52b2cdc55eb68e76df7",
	{"aes-256-gcm", 16384, 13}:       "d4ca0bc4047f5f833f47ca007e4a93deaf66a21e1b50cfd58aeb25431b7fae7e",
	{"chacha20-poly1305", 1024, 13}:  "b60877b101e849ea32ef1ec3c4ce6e75a018d8f268888b031786d1a2fceec3e4",
	{"chacha20-poly1305", 8192, 13}:  "d8eff2b2d7247229f3e242fcdd1f73bc077663d5262f0806a3de684ba6082625",
	{"chacha20-poly1305", 16384, 13}: "1654c186242150f46476143431b2f4542ccdde426390f291d767b7faf3db05fe",
}

// sealOperation seals with one of an implementation's ciphers.
func sealOperation(implementation string, choices ...cipherChoice) operation {
	ranges := protocol.Ranges{
		"cipher": namesOf(choices), "message_bytes": anyLength, "ad_bytes": protocol.Integers(0, 64<<10),
	}
	return declare("aead-seal/"+implementation, func(j *job) (*plan, error) {
		return planSeal(named(choices, j.Text("cipher")), j.Integer("message_bytes"), j.Integer("ad_bytes")), nil
	}, ranges)
}

// planSeal plans sealing a message into a reused buffer.
func planSeal(choice cipherChoice, messageBytes, adBytes int) *plan {
	verified := "the sealed message opens to the original with fresh state"
	if _, isPinned := knownSeals[sealed{choice.name, messageBytes, adBytes}]; isPinned {
		verified += " and matches the known answer"
	}
	return &plan{
		BytesPerOp:  int64(messageBytes),
		Verified:    verified,
		Libraries:   []string{choice.library},
		Instantiate: func() (instance, error) { return newSealInstance(choice, messageBytes, adBytes) },
	}
}

type sealInstance struct {
	aead    cipher.AEAD
	opener  cipher.AEAD // for the check
	nonce   []byte
	message []byte
	data    []byte // additional data
	sealed  []byte // the buffer: ciphertext and tag
	opened  []byte // the check's buffer
	known   string // SHA-256 of the expected output; empty if unknown
}

func newSealInstance(choice cipherChoice, messageBytes, adBytes int) (*sealInstance, error) {
	aead, err := choice.open(counting(choice.keyBytes))
	if err != nil {
		return nil, err
	}
	opener, err := choice.open(counting(choice.keyBytes))
	if err != nil {
		return nil, err
	}
	return &sealInstance{
		aead:   aead,
		opener: opener,
		// Always the same nonce, because the message is always the same as well.
		nonce:   counting(aead.NonceSize()),
		message: counting(messageBytes),
		data:    counting(adBytes),
		sealed:  make([]byte, 0, messageBytes+aead.Overhead()),
		known:   knownSeals[sealed{choice.name, messageBytes, adBytes}],
	}, nil
}

// counting makes bytes that are easy to reproduce: byte i is i + i/256, mod 256.
func counting(length int) []byte {
	made := make([]byte, length)
	for i := range made {
		made[i] = byte(i + i>>8)
	}
	return made
}

func (s *sealInstance) Op() error {
	s.sealed = s.aead.Seal(s.sealed[:0], s.nonce, s.message, s.data)
	return nil
}

// Output returns the sealed message in place: a copy of 50 MiB would double the memory.
func (s *sealInstance) Output() ([]byte, error) {
	clear(s.sealed)
	if err := s.Op(); err != nil {
		return nil, err
	}
	return s.sealed, nil
}

func (s *sealInstance) Check(output []byte) error {
	clear(s.opened)
	opened, err := s.opener.Open(s.opened[:0], s.nonce, output, s.data)
	s.opened = opened
	if err != nil {
		return protocol.Faultf(protocol.KindWrongAnswer, "the sealed message does not open: %v", err)
	}
	if err := mustEqual("the opened message", opened, s.message); err != nil {
		return err
	}
	if s.known == "" {
		return nil
	}
	digest := sha256.Sum256(output)
	if got := hex.EncodeToString(digest[:]); got != s.known {
		return protocol.Faultf(protocol.KindWrongAnswer, "the sealed message has SHA-256 %s, not %s", got, s.known)
	}
	return nil
}
