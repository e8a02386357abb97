package main

import (
	"runtime"
	"strings"
	"testing"
)

func TestTheSelfTestPasses(t *testing.T) {
	if err := selfTest(); err != nil {
		t.Error(err)
	}
}

func TestTheProofDistinguishesLevels(t *testing.T) {
	eight, err := goGzip.compress(proofText(), 8)
	if err != nil {
		t.Fatal(err)
	}
	for _, level := range []int{1, 2, 3, 4, 5, 6} {
		other, err := goGzip.compress(proofText(), level)
		if err != nil {
			t.Fatal(err)
		}
		if string(other) == string(eight) {
			t.Errorf("level %d makes the same stream as level 8: the text is too simple", level)
		}
	}
}

func TestTheBuildNamesItsParts(t *testing.T) {
	b := worker().Build(map[string]string{libraryXCrypto: libraryVersion(libraryXCrypto)})
	if b.Version != "0.1.0" || b.Compiler != runtime.Version() || !strings.Contains(b.Target, runtime.GOARCH) {
		t.Errorf("%+v", b)
	}
	if len(b.Libraries) != 1 || !strings.HasPrefix(b.Libraries[libraryXCrypto], "v") {
		t.Errorf("libraries %v", b.Libraries)
	}
}
