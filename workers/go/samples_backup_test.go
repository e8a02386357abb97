package main

import (
	"fmt"
	"strings"
)

// What workloads/go-storage.toml and workloads/go-backup.toml say.
func init() {
	const random = `"data":"random-1"`
	add := func(id, format string, args ...any) {
		sampleParameters[id] = "{" + fmt.Sprintf(format, args...) + "}"
	}
	for _, mib := range []int{1, 5, 10, 25} {
		for _, code := range []string{"8+8", "12+4"} {
			var data, parity int
			fmt.Sscanf(code, "%d+%d", &data, &parity)
			for _, operation := range []string{"", "reconstruct-"} {
				add(fmt.Sprintf("reed-solomon-%s-%s%dMiB/klauspost", code, operation, mib),
					`"data_shards":%d,"parity_shards":%d,"shard_bytes":%d,%s`, data, parity, mib<<20, random)
			}
		}
	}
	for _, mib := range []int{1, 5, 10, 25, 50, 100} {
		add(fmt.Sprintf("highwayhash-256-%dMiB/minio", mib), `"message_bytes":%d,%s`, mib<<20, random)
	}
	add("aes-128-gcm-seal-64KiB/go", `"message_bytes":65536,"ad_bytes":13`)
	for _, mib := range []int{1, 5, 10, 25, 50} {
		add(fmt.Sprintf("aes-128-gcm-seal-%dMiB/go", mib), `"message_bytes":%d,"ad_bytes":13`, mib<<20)
	}
	for name, average := range map[string]int{
		"128K": 128 << 10, "256K": 256 << 10, "512K": 512 << 10, "1M": 1 << 20, "2M": 2 << 20, "4M": 4 << 20, "8M": 8 << 20,
	} {
		for _, hash := range []string{"buzhash", "rabinkarp"} {
			add(fmt.Sprintf("split-%s-%s/rollinghash", hash, name),
				`"block_bytes":33554432,"average_bytes":%d,"window_bytes":64,%s`, average, random)
		}
	}
	for _, w := range compressWorkloads {
		operation, _, _ := strings.Cut(w.id, "/")
		_, algorithm, _ := strings.Cut(operation, "-")
		data := "random"
		if strings.HasSuffix(algorithm, "-edited-text") {
			data = "edited-text"
		}
		algorithm = strings.TrimSuffix(algorithm, "-"+data)
		level, concurrency := sampleLevel(algorithm)
		add(w.id, `"level":%q,"concurrency":%d,"piece_bytes":8388608,"gather_bytes":65536,"data":%q`, level, concurrency, data+"-1")
	}
	for _, w := range blockWorkloads {
		pack := ""
		if strings.HasPrefix(w.id, "pipeline-") {
			pack = `"pack_bytes":20971520,`
		}
		add(w.id, `"message_bytes":1048576,"gather_bytes":65536,%s%s`, pack, random)
	}
	for id, digest := range map[string]int{
		"BLAKE2S-128/x-crypto": 16, "BLAKE2S-256/x-crypto": 32, "BLAKE2B-256/x-crypto": 32, "BLAKE2B-256-128/x-crypto": 16,
		"BLAKE3-256/zeebo": 32, "BLAKE3-256-128/zeebo": 16, "HMAC-SHA224/go": 28, "HMAC-SHA256/go": 32,
		"HMAC-SHA256-128/go": 16, "HMAC-SHA3-224/go": 28, "HMAC-SHA3-256/go": 32,
	} {
		add("hash-"+id, `"message_bytes":1048576,"digest_bytes":%d,%s`, digest, random)
	}
	for overhead, shape := range map[int]string{
		1:  `"data_shards":254,"parity_shards":2,"shard_bytes":1024`,
		2:  `"data_shards":164,"parity_shards":2,"shard_bytes":512`,
		5:  `"data_shards":128,"parity_shards":2,"shard_bytes":128`,
		10: `"data_shards":128,"parity_shards":4,"shard_bytes":64`,
		20: `"data_shards":128,"parity_shards":17,"shard_bytes":64`,
	} {
		for operation, damaged := range map[string]string{
			"encode": "", "decode": `"damaged_shards":0,`, "repair": `"damaged_shards":1,`,
		} {
			add(fmt.Sprintf("ecc-rs-crc32-%d%%-%s/klauspost", overhead, operation),
				`"overhead_percent":%d,%s,"block_bytes":10485760,"gather_bytes":65536,%s%s`, overhead, shape, damaged, random)
		}
	}
}

// sampleLevel is an algorithm's level and concurrency.
func sampleLevel(algorithm string) (level string, concurrency int) {
	library, level, _ := strings.Cut(algorithm, "-")
	switch library {
	case "deflate", "gzip":
		concurrency = 1
	case "lz4":
		return "fast", 1
	case "s2":
		if n := strings.TrimPrefix(level, "parallel-"); n != level {
			fmt.Sscan(n, &concurrency)
			level = "default"
		}
	case "zstd":
		level = strings.TrimSuffix(level, "-compression")
	}
	if level == "" {
		level = "default"
	}
	return level, concurrency
}
