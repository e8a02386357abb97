package main

// stream is what determines the bytes of a compressed stream; the number of goroutines does not.
type stream struct{ format, level, data string }

// knownBytes is the length of a piece whose streams are pinned.
const knownBytes = 8 << 20

// knownStreams is the CRC-32 (IEEE) of each stream of knownBytes bytes: the output of the pinned
// versions, on x86-64 and aarch64, on one and on four goroutines. No other implementation makes the
// same, so each stream is also decompressed. It distinguishes levels, and detects any changed bit.
// A new version may change some: then pin them again, and record it under "Changes results".
var knownStreams = map[stream]uint32{
	{"deflate/klauspost", "best-compression", randomName}:     0xad4e0396,
	{"deflate/klauspost", "best-speed", randomName}:           0x3355d963,
	{"deflate/klauspost", "default", randomName}:              0x3355d963,
	{"gzip/go", "best-compression", randomName}:               0x328895f2,
	{"gzip/go", "best-speed", randomName}:                     0x3164e92b,
	{"gzip/go", "default", randomName}:                        0xfd0fd03c,
	{"gzip/pgzip", "best-compression", randomName}:            0x779ba9bf,
	{"gzip/pgzip", "best-speed", randomName}:                  0x57af60cb,
	{"gzip/pgzip", "default", randomName}:                     0x772dfe45,
	{"lz4/pierrec", "fast", randomName}:                       0x5ecec4cb,
	{"s2/klauspost", "better", randomName}:                    0xd43950f0,
	{"s2/klauspost", "default", randomName}:                   0xd43950f0,
	{"zstd/klauspost", "best", randomName}:                    0xd94f001a,
	{"zstd/klauspost", "better", randomName}:                  0xd94f001a,
	{"zstd/klauspost", "default", randomName}:                 0xd94f001a,
	{"zstd/klauspost", "fastest", randomName}:                 0xdc26752a,
	{"deflate/klauspost", "best-compression", editedTextName}: 0xbb4ac755,
	{"deflate/klauspost", "best-speed", editedTextName}:       0x3db8c899,
	{"deflate/klauspost", "default", editedTextName}:          0x48c8fcc0,
	{"gzip/go", "best-compression", editedTextName}:           0x7d6fb610,
	{"gzip/go", "best-speed", editedTextName}:                 0xae2691cc,
	{"gzip/go", "default", editedTextName}:                    0x184a47d1,
	{"gzip/pgzip", "best-compression", editedTextName}:        0xd583b10a,
	{"gzip/pgzip", "best-speed", editedTextName}:              0xf9c20036,
	{"gzip/pgzip", "default", editedTextName}:                 0x827af522,
	{"lz4/pierrec", "fast", editedTextName}:                   0xf4029d7d,
	{"s2/klauspost", "better", editedTextName}:                0x280d1616,
	{"s2/klauspost", "default", editedTextName}:               0xdc27d3d3,
	{"zstd/klauspost", "best", editedTextName}:                0x0cf15e1f,
	{"zstd/klauspost", "better", editedTextName}:              0xd3c818f6,
	{"zstd/klauspost", "default", editedTextName}:             0x0a29fbb7,
	{"zstd/klauspost", "fastest", editedTextName}:             0x97ce92cd,
}
