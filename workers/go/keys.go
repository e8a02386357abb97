package main

// Keys made for this benchmark, once; they protect nothing. All numbers are
// hexadecimal.

// signedMessage is what the pki workloads sign: 36 bytes, like openssl speed's
// RSA message.
const signedMessage = "sizeup: which CPU should carry this?"

// rsaPrimes is the prime factors of an RSA modulus of 2048 bits, by their
// number; the public exponent is 65537.
var rsaPrimes = map[int64][]string{
	2: {
		"ef0509e92e3ed6481ceead5129706219ac656dec189c34450eeb1f0320605ece" +
			"84ce7cef2633d1cba03f1de90d84eaf9ff2e4e56c08556a79f1dcc6baf577378" +
			"e6a3aecd9078f56c8bc5feaa1e279019e30ece107205217a9e0636697506fcff" +
			"12ff36f1d6e61e159d69d3850f4b711094237c561954107febf339154b3bd39d",
		"c274690e8a10ba98f02fbdf040e339b0f917ef36a8d878fb102d9a328aa44d3d" +
			"fb121f7fd030d474415a610aa58945b0fe38d072585ba71dcdf0974844a4c317" +
			"8179eadf4df03cff2f2fe3e6d18d0a1fe4a3f1a3a0659d1391784e8f5dff38a5" +
			"39a436cbd74abff2e7d83eb9ec6c6c174e43ad83a6f4bf48a49dd2149ac61eab",
	},
	3: {
		"07f1008630835cc25d6701f5f40799f721f16938c8c35272afcebd11f1aac512" +
			"047ef4bf523a9b45ae820ef8c1ad26b6deb502c43c7f4c1adefdc57885aa5b55" +
			"ff6bd09b6167aa09a1f4b2aaf4b3b0b0dd41c28c4faf",
		"0698628019117cafa93e5ad3824dcd093f44b868fee08a0029951ac87685ebdb" +
			"c824d36b8b4dae24405b9a661a7a3edf0c422ca46225f893e166b51bb18f54d9" +
			"e18659103047686f4dc06b95d1752adad42bdc04fde1",
		"03b1cefda7fda49fe2a654036c9cdf2140cefdeab8155f070c3a6a41afc5a639" +
			"b8cb56c116c9616283b43741adfb41bb34e075b9488cff68f7666a4b321891c3" +
			"7070c46580e9dbe7e44b695a50e887c4dcc7c90dd405",
	},
}

// rsaSignatures is the SHA-256 of OpenSSL's signature of signedMessage (PKCS #1
// v1.5 over SHA-256 knows only one), by the number of primes.
var rsaSignatures = map[int64]string{
	2: "aeb540bedfd24e370cfa87b5e1163c1646c425afb33519bb6dd1b5502f7447ec",
	3: "6ddd94070c443905709be9d35edf5b3596d79828d65dd3d5a146360668099a76",
}

// The ECDSA key over P-256, and a signature of signedMessage by OpenSSL
// (SHA-256, ASN.1).
const (
	ecdsaPrivate = "9f6000b2c6fb24f63e884783b218796354306a09b5c5ab4d50f46b57dfd28f43"
	ecdsaPublic  = "04d5cfb4c479058658e6ea1ba7fdbbacf09113517aeb7642c5d050ec0dd35c0c99" +
		"3aa92caff0d5a31669a074d9a4b498e08bf01a3cd6f7439cf6882a51fa0796fa"
	ecdsaSignature = "3045022100f36c6c9efc6ec5a85530ace8b4794be2f8fa31992033d9822e563d" +
		"b4d51eac14022026639d8c7d0f6e9033db2f48fc234fea19089cecb9751daee1" +
		"1401d774d76511"
)
