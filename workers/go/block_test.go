package main

import (
	"bytes"
	"encoding/hex"
	"testing"
)

func TestKeysAreTheHMACOfTheContentID(t *testing.T) {
	// From Python's hmac.
	const known = "d8b99f2709a3ca74172cbe93824c1f29b23a0c1e9c21bd851ff2d2c39dbef14e"
	for _, choice := range []cipherChoice{blockAES256GCM, blockChaCha20Poly1305} {
		block, contentID := random(1000), counting(encryptContentID)
		e := newEncryptor(choice, len(block))
		if err := e.encrypt(gathered(block), contentID); err != nil {
			t.Fatal(err)
		}
		key, err := hex.DecodeString(known)
		if err != nil {
			t.Fatal(err)
		}
		aead, err := choice.open(key)
		if err != nil {
			t.Fatal(err)
		}
		opened, err := aead.Open(nil, e.sealed.whole[:12], e.sealed.whole[12:], contentID)
		if err != nil || !bytes.Equal(opened, block) {
			t.Errorf("%s: the known key does not open it (%v)", choice.name, err)
		}
		if len(e.sealed.whole) != len(block)+sealOverhead {
			t.Errorf("%s: %d bytes", choice.name, len(e.sealed.whole))
		}
	}
}

func TestNoncesAreUnique(t *testing.T) {
	block := random(10)
	e := newEncryptor(blockAES256GCM, len(block))
	seen := map[string]bool{}
	for range 1000 {
		if err := e.encrypt(gathered(block), counting(encryptContentID)); err != nil {
			t.Fatal(err)
		}
		seen[string(e.sealed.whole[:12])] = true
	}
	if len(seen) != 1000 {
		t.Errorf("%d nonces in 1000 blocks", len(seen))
	}
}

func TestABlockOfAnotherContentIDDoesNotDecrypt(t *testing.T) {
	block := random(1000)
	e := newEncryptor(blockChaCha20Poly1305, len(block))
	if err := e.encrypt(gathered(block), counting(16)); err != nil {
		t.Fatal(err)
	}
	if mustDecrypt(e.choice, e.sealed.whole, counting(17), block) == nil {
		t.Error("it decrypts")
	}
}

func TestAKnownHashDependsOnItsKey(t *testing.T) {
	for _, h := range keyedHashes {
		known := unhex(knownHashes[hashed{h.name, 1 << 20}])
		if len(known) != h.bytes {
			t.Fatalf("%s: the known hash has %d bytes, not %d", h.name, len(known), h.bytes)
		}
		for wrong, key := range map[bool][]byte{false: counting(hashKeyBytes), true: make([]byte, hashKeyBytes)} {
			state, err := h.make(key)
			if err != nil {
				t.Fatal(err)
			}
			if sum := hashWith(state, random(1<<20), nil)[:h.bytes]; bytes.Equal(sum, known) == wrong {
				t.Errorf("%s: wrong key %v, the known hash %v", h.name, wrong, !wrong)
			}
		}
	}
}
