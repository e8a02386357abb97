package main

import (
	"crypto/ecdh"

	"sizeup/gokit/protocol"
)

// registry is every operation of this worker, in the manifest's order.
var registry = append([]operation{
	declare("empty/go", planEmpty, nil),
	declare("regexp/go", planRegexp, protocol.Ranges{"pattern": protocol.AnyText()}, "data"),
	declare("replacer-generic/go", planReplacer(genericReplacement), nil),
	declare("replacer-byte-to-byte/go", planReplacer(byteToByteReplacement), nil),
	declare("replacer-byte-to-string/go", planReplacer(byteToStringReplacement), nil),
	declare("html-escape/go", planHTMLEscape, nil, "data"),
	declare("html-unescape/go", planHTMLUnescape, nil, "data"),
	declare("json-parse/go", planJSONParse, nil, "data"),
	declare("json-decode/go", planJSONDecode, nil, "data"),
	declare("json-encode/go", planJSONEncode, nil, "data"),
	declare("regex-find/go", planRegexFind, regexFindRanges, "data", "pattern"),
	declare("sort-u64/go", planSortNumbers, itemRanges),
	declare("sort-strings/go", planSortTexts, itemRanges),
	declare("hash-insert/go", planHashInsert, itemRanges),
	declare("jpeg-decode/go", planJPEGDecode, nil, "photo", "blocks"),
	declare("image-scale/x-image", planImageScale, scaleRanges, "photo"),
	declare("jpeg-encode/go", planJPEGEncode, encodeRanges, "photo"),
	declare("thumbnail-jpeg/go", planThumbnail, thumbnailRanges, "photo", "blocks"),

	declare("ecdsa-p256-sign/go", planECDSASign, nil),
	declare("ecdsa-p256-verify/go", planECDSAVerify, nil),
	declare("rsa-sign/go", planRSASign, rsaSignRanges),
	declare("rsa-verify/go", planRSAVerify, rsaVerifyRanges),
	declare("sign/go", planSign, signatureRanges),
	declare("verify/go", planVerify, signatureRanges),
	declare("mlkem768-keygen/go", planKEM(newKEMKeygen, "the peer's secret for the key is the same"), nil),
	declare("mlkem768-encaps/go", planKEM(newKEMEncaps, "the key's owner derives the same secret"), nil),
	declare("mlkem768-decaps/go", planKEM(newKEMDecaps, "the secret matches the known answer"), nil),
	declare("ecdh-p384-derive/go", planAgreement(ecdh.P384(), &p384Agreement), nil),
	declare("x25519-derive/go", planAgreement(ecdh.X25519(), &x25519Agreement), nil),
	declare("ecdh-p256-derive/go", planAgreement(ecdh.P256(), &p256Agreement), nil),
	declare("tls13-handshake/go", planHandshake, handshakeRanges, "identity"),
	sealOperation("go", aes128GCM, aes256GCM, chaCha20Poly1305),
	sealOperation("x-crypto", chaCha20Poly1305),

	hashOperation("go", sha1Digest, sha256Digest, sha512Digest, sha3Digest),
	hashOperation("x-crypto", blake2bDigest),
	hashOperation("zeebo", blake3Digest),
	checksumOperation("go", crc32Digest),
	checksumOperation("go", crc32cDigest),
	checksumOperation("zeebo", xxh3Digest),
	declare("highwayhash-256/minio", planHighwayHash, highwayHashRanges),
	keyedHashOperation("x-crypto", keyedHashesOf(libraryXCrypto)),
	keyedHashOperation("zeebo", keyedHashesOf(libraryBlake3)),
	keyedHashOperation("go", keyedHashesOf(libraryGo)),

	declare("gzip-reused/go", planGzip(goGzip, klauspostGzip), gzipRanges, "data"),
	declare("gzip-reused/klauspost", planGzip(klauspostGzip, goGzip), gzipRanges, "data"),
	declare("gunzip-reused/go", planGunzip(goGzip), nil, "stream", "data"),
	declare("gunzip-reused/klauspost", planGunzip(klauspostGzip), nil, "stream", "data"),
	declare("gunzip-own-reused/go", planGunzipOwn, gzipRanges, "data"),
	declare("zstd/klauspost", planZstd, zstdRanges, "data"),
	declare("unzstd/klauspost", planUnzstd, nil, "stream", "data"),

	declare("reed-solomon-encode/klauspost", planEncode, shardRanges),
	declare("reed-solomon-reconstruct/klauspost", planReconstruct, shardRanges),
	declare("ecc-encode/klauspost", planECCEncode, eccEncodeRanges),
	declare("ecc-decode/klauspost", planECCDecode, eccDecodeRanges),
	declare("split/rollinghash", planSplit, splitRanges),
	encryptOperation("go", blockAES256GCM),
	encryptOperation("x-crypto", blockChaCha20Poly1305),
	declare("pipeline/kopia-libs", planPipeline, pipelineRanges),
}, pieceOperations()...)

// pieceOperations is compressing and decompressing each format.
func pieceOperations() (operations []operation) {
	for _, f := range formats {
		operations = append(operations,
			pieceOperation("compress", f, planCompress),
			pieceOperation("decompress", f, planDecompress))
	}
	return operations
}
