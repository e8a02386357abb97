package main

// Keys made once for this benchmark; they protect nothing. All numbers are hexadecimal.

// signedMessage is what the signing operations sign: 36 bytes, like openssl speed's RSA message.
const signedMessage = "sizeup: which CPU should carry this?"

// rsaNumbers is an RSA key by its primes; the public exponent is 65537.
type rsaNumbers struct {
	primes []string
	// signature is the SHA-256 of OpenSSL's signature of signedMessage: PKCS #1 v1.5 over SHA-256
	// has only one.
	signature string
}

var rsa2048 = rsaNumbers{
	primes: []string{
		"ef0509e92e3ed6481ceead5129706219ac656dec189c34450eeb1f0320605ece" +
			"84ce7cef2633d1cba03f1de90d84eaf9ff2e4e56c08556a79f1dcc6baf577378" +
			"e6a3aecd9078f56c8bc5feaa1e279019e30ece107205217a9e0636697506fcff" +
			"12ff36f1d6e61e159d69d3850f4b711094237c561954107febf339154b3bd39d",
		"c274690e8a10ba98f02fbdf040e339b0f917ef36a8d878fb102d9a328aa44d3d" +
			"fb121f7fd030d474415a610aa58945b0fe38d072585ba71dcdf0974844a4c317" +
			"8179eadf4df03cff2f2fe3e6d18d0a1fe4a3f1a3a0659d1391784e8f5dff38a5" +
			"39a436cbd74abff2e7d83eb9ec6c6c174e43ad83a6f4bf48a49dd2149ac61eab",
	},
	signature: "aeb540bedfd24e370cfa87b5e1163c1646c425afb33519bb6dd1b5502f7447ec",
}

var rsa2048ThreePrimes = rsaNumbers{
	primes: []string{
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
	signature: "6ddd94070c443905709be9d35edf5b3596d79828d65dd3d5a146360668099a76",
}

var rsa3072 = rsaNumbers{
	primes: []string{
		"e8c7baa5d8719f25277042df238909a2af36c44ec27e407f851e0c40743c374d" +
			"ed8a0a6c96d199ee29cbf1e857d82b871615e1b236713f10cb557e5f5bb03d6d" +
			"b7bfe2f0c4738633e660bbf8d799aa048e4906f8017dc051a78a6425eb039ba4" +
			"eb90b9d40b2bac9d56ac99cb50811c37d9506dd276d23fa3eadacb88a69524fc" +
			"45ef4ca679607631b8e773002d8c922df644f143435eba6d87069238f6fdf70f" +
			"5aac478be34ad2bab025ded3d19cf2dfd35b56dabf17721cf9e18674ce4e87c3",
		"e3dd3dbdf37dd60807e164e1b8bfd4b04719c8f678acae336da639d6347eecf8" +
			"37a693d28c8c54caaa18335018ae4230258162bfb067cded0f17feb3b934499b" +
			"a417af5ba5c67f129e65de686aaae2a517ce70280e67e41efd28548d1c610749" +
			"5ddb6b688b008e650c6433e3eef1665ce018df910272c62bd2109a48b0dcf222" +
			"f44a02c50de491b2f0b11cada140823617b76c0a2746ddc696dfc0a24cb4016e" +
			"b53fc9d0cc38d70446f41abd99d6f5bad3632e9ea08ab463d7681bd4bf031feb",
	},
	signature: "aa11f7eb0348e2fa09c464b5a26dcff8c0cefa31df082beb993b381527fd3d14",
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

// Key agreement: two private keys and their shared secret, as printed in the RFCs.
var (
	p256Agreement = agreementNumbers{ // RFC 5903, 8.1
		keys: [2]string{
			"c88f01f510d9ac3f70a292daa2316de544e9aab8afe84049c62a9c57862d1433",
			"c6ef9c5d78ae012a011164acb397ce2088685d8f06bf9be0b283ab46476bee53",
		},
		secret: "d6840f6b42f6edafd13116e0e12565202fef8e9ece7dce03812464d04b9442de",
	}
	x25519Agreement = agreementNumbers{ // RFC 7748, 6.1
		keys: [2]string{
			"77076d0a7318a57d3c16c17251b26645df4c2f87ebc0992ab177fba51db92c2a",
			"5dab087e624a8a4b79e17f8b83800ee66f3bb1292618b6fd1c2f8b27ff88e0eb",
		},
		secret: "4a5d9d5ba4ce2de1728e3bf480350f25e07e21c947d19e3376f09b3c1e161742",
	}
)

type agreementNumbers struct {
	keys   [2]string
	secret string
}
