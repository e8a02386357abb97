package main

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"slices"
	"strings"
)

// inputs gives a workload the files that the request names. Only files that a
// workload asks for are read, each is checked before it is used, and files that
// nobody asked for are reported.
type inputs struct {
	files map[string]inputFile
	taken map[string]bool
}

func newInputs(files map[string]inputFile) *inputs {
	return &inputs{files: files, taken: map[string]bool{}}
}

// take reads one input, checked by length and digest.
func (in *inputs) take(name string) ([]byte, error) {
	file, ok := in.files[name]
	if !ok {
		return nil, faultf(kindInput, "the workload needs the input %q, the request does not name it", name)
	}
	in.taken[name] = true
	content, err := file.read()
	if err != nil {
		return nil, asFault(err, kindInput).in("input " + name + " (" + file.path + ")").
			advise("make the inputs anew with this release")
	}
	return content, nil
}

// refuseSpare refuses a request that names inputs which were not taken.
func (in *inputs) refuseSpare() error {
	var spare []string
	for name := range in.files {
		if !in.taken[name] {
			spare = append(spare, name)
		}
	}
	if spare == nil {
		return nil
	}
	slices.Sort(spare)
	return faultf(kindBadRequest, "the workload takes no input %q", strings.Join(spare, `", "`))
}

func (file inputFile) read() ([]byte, error) {
	opened, err := os.Open(file.path)
	if err != nil {
		return nil, err
	}
	defer opened.Close()
	info, err := opened.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, faultf(kindInput, "not a regular file")
	}
	if info.Size() != file.bytes {
		return nil, faultf(kindInput, "has %d bytes, not %d", info.Size(), file.bytes)
	}
	content := make([]byte, file.bytes)
	if _, err := io.ReadFull(opened, content); err != nil {
		return nil, err
	}
	digest := sha256.Sum256(content)
	if got := hex.EncodeToString(digest[:]); got != file.sha256 {
		return nil, faultf(kindInput, "has SHA-256 %s, not %s", got, file.sha256)
	}
	return content, nil
}
