package protocol

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
)

// Read reads an input, checked by length and digest.
func (file InputFile) Read() ([]byte, error) {
	opened, err := os.Open(file.Path)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	info, err := opened.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, Faultf(KindInput, "not a regular file")
	}
	if info.Size() != file.Bytes {
		return nil, Faultf(KindInput, "has %d bytes, not %d", info.Size(), file.Bytes)
	}
	content := make([]byte, file.Bytes)
	if _, err := io.ReadFull(opened, content); err != nil {
		return nil, err
	}
	digest := sha256.Sum256(content)
	if got := hex.EncodeToString(digest[:]); got != file.SHA256 {
		return nil, Faultf(KindInput, "has SHA-256 %s, not %s", got, file.SHA256)
	}
	return content, nil
}
