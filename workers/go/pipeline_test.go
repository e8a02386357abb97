package main

import "testing"

func TestAPackHoldsTheBlocksOfManyOpsAndThenRestarts(t *testing.T) {
	inst := trial{"pipeline/kopia-libs", `{"hash":"BLAKE3-256","encryption":"AES256-GCM-HMAC-SHA256",` +
		`"message_bytes":1048576,"gather_bytes":65536,"pack_bytes":20971520,"data":"random-1"}`}.instance(t)
	p := inst.(*pipelineInstance)
	const stored = 1<<20 + sealOverhead
	for op := range 45 {
		if err := p.Op(); err != nil {
			t.Fatal(err)
		}
		blocks := op%20 + 1 // 20 of them exceed 20 MiB
		if len(p.pack.whole) != blocks*stored {
			t.Fatalf("after op %d the pack has %d bytes, not %d", op, len(p.pack.whole), blocks*stored)
		}
		last := p.pack.whole[(blocks-1)*stored:]
		if err := mustDecrypt(p.choice, last, p.contentID, p.block.whole); err != nil {
			t.Fatalf("after op %d: %v", op, err)
		}
	}
}
