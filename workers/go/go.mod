module sizeup/worker-go

go 1.26.0

require (
	github.com/chmduquesne/rollinghash v4.0.0+incompatible
	github.com/klauspost/compress v1.20.3
	github.com/klauspost/cpuid/v2 v2.4.2
	github.com/klauspost/pgzip v1.3.0
	github.com/klauspost/reedsolomon v1.14.2
	github.com/minio/highwayhash v1.0.4
	github.com/pierrec/lz4/v4 v4.1.33
	github.com/zeebo/blake3 v0.2.4
	github.com/zeebo/xxh3 v1.1.0
	golang.org/x/crypto v0.58.0
	golang.org/x/image v0.47.0
	golang.org/x/sys v0.49.0
	sizeup/gokit v0.0.0
)

require (
	github.com/BurntSushi/toml v1.4.1-0.20240526193622-a339e1f7089c // indirect
	golang.org/x/exp/typeparams v0.0.0-20231108232855-2478ac86f678 // indirect
	golang.org/x/mod v0.41.0 // indirect
	golang.org/x/sync v0.23.0 // indirect
	golang.org/x/tools v0.51.0 // indirect
	honnef.co/go/tools v0.8.2 // indirect
)

tool honnef.co/go/tools/cmd/staticcheck

replace sizeup/gokit => ../gokit
