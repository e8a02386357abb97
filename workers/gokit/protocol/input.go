package protocol

import (
	"crypto/sha256"
	"encoding/hex"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
)

// Inputs gives an operation the files that the request names. Only files that the operation takes
// are read, each is checked before it is used, and files that the operation does not take are
// reported.
type Inputs struct {
	files map[string]InputFile
	taken map[string]bool
}

// NewInputs holds the files of a request, none of them taken.
func NewInputs(files map[string]InputFile) *Inputs {
	return &Inputs{files: files, taken: map[string]bool{}}
}

// Take reads one input, checked by length and digest.
func (in *Inputs) Take(name string) ([]byte, error) {
	file, ok := in.files[name]
	if !ok {
		return nil, Faultf(KindInput, "the request has no input %q, which the operation needs", name)
	}
	in.taken[name] = true
	content, err := file.read()
	if err != nil {
		return nil, AsFault(err, KindInput).In("input " + name + " (" + file.Path + ")").
			Advise("recreate the inputs with this release")
	}
	return content, nil
}

// RefuseSpare refuses a request with inputs that were not taken.
func (in *Inputs) RefuseSpare() error {
	var spare []string
	for name := range in.files {
		if !in.taken[name] {
			spare = append(spare, strconv.Quote(name))
		}
	}
	if spare == nil {
		return nil
	}
	slices.Sort(spare)
	return Faultf(KindBadRequest, "the operation takes no input %s", strings.Join(spare, ", "))
}

func (file InputFile) read() ([]byte, error) {
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
