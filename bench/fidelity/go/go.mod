module sizeup/bench-fidelity

go 1.26.0

require (
	github.com/chmduquesne/rollinghash v4.0.0+incompatible
	github.com/klauspost/compress v1.20.3
	github.com/klauspost/pgzip v1.3.0
	github.com/klauspost/reedsolomon v1.14.2
	github.com/minio/highwayhash v1.0.4
	github.com/pierrec/lz4/v4 v4.1.33
	github.com/zeebo/blake3 v0.2.4
	golang.org/x/crypto v0.58.0
	golang.org/x/image v0.47.0
)

require (
	github.com/klauspost/cpuid/v2 v2.4.2 // indirect
	golang.org/x/sys v0.49.0 // indirect
)
