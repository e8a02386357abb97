package protocol

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// stored is an input in a file.
func stored(t *testing.T, content string) InputFile {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page")
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	digest := sha256.Sum256([]byte(content))
	return InputFile{Path: path, Bytes: int64(len(content)), SHA256: hex.EncodeToString(digest[:])}
}

func TestAnInputIsTaken(t *testing.T) {
	in := NewInputs(map[string]InputFile{"page": stored(t, "some text")})
	if content, err := in.Take("page"); err != nil || string(content) != "some text" {
		t.Errorf("%q, %v", content, err)
	}
	if err := in.RefuseSpare(); err != nil {
		t.Error(err)
	}
}

func TestAnInputThatDiffersIsRefused(t *testing.T) {
	good := stored(t, "some text")
	for what, change := range map[string]func(*InputFile){
		"another digest":  func(file *InputFile) { file.SHA256 = strings.Repeat("0", 64) },
		"another length":  func(file *InputFile) { file.Bytes++ },
		"no file":         func(file *InputFile) { file.Path += ".gone" },
		"a folder":        func(file *InputFile) { file.Path = t.TempDir() },
		"changed on disk": func(file *InputFile) { file.Path = stored(t, "same text").Path },
	} {
		t.Run(what, func(t *testing.T) {
			file := good
			change(&file)
			_, err := NewInputs(map[string]InputFile{"page": file}).Take("page")
			mustBe(t, err, KindInput, "page")
		})
	}
}

func TestAMissingInputIsNamed(t *testing.T) {
	_, err := NewInputs(nil).Take("page")
	mustBe(t, err, KindInput, `"page"`)
}

func TestAnUnusedInputIsRefused(t *testing.T) {
	in := NewInputs(map[string]InputFile{"text": {}, "page": stored(t, "some text")})
	if _, err := in.Take("page"); err != nil {
		t.Fatal(err)
	}
	mustBe(t, in.RefuseSpare(), KindBadRequest, `no input "text"`)
}

func TestUnusedInputsAreEachQuoted(t *testing.T) {
	in := NewInputs(map[string]InputFile{"text": {}, `a "b"`: {}, "digits": {}})
	mustBe(t, in.RefuseSpare(), KindBadRequest, `no input "a \"b\"", "digits", "text"`)
}
