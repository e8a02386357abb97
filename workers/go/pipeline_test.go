package main

import "testing"

func TestAPackHoldsTheBlocksOfManyOpsAndThenBeginsAnew(t *testing.T) {
	w, err := findWorkload("pipeline-BLAKE3-256+AES256-GCM-HMAC-SHA256/kopia-libs")
	if err != nil {
		t.Fatal(err)
	}
	_, inst := instantiate(t, w)
	p := inst.(*pipelineInstance)
	const stored = 1<<20 + sealOverhead
	for op := range 45 {
		if err := p.Op(); err != nil {
			t.Fatal(err)
		}
		blocks := op%20 + 1 // 20 of them go beyond 20 MiB
		if len(p.pack.whole) != blocks*stored {
			t.Fatalf("after op %d the pack has %d bytes, not %d", op, len(p.pack.whole), blocks*stored)
		}
		last := p.pack.whole[(blocks-1)*stored:]
		if err := mustDecrypt(p.choice, last, p.contentID, p.block.whole); err != nil {
			t.Fatalf("after op %d: %v", op, err)
		}
	}
}
