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

var rsa4096 = rsaNumbers{
	primes: []string{
		"c584b71c10a3fc4d6331ab2afd641b0d8a7c01aa60440718b19532654fc772c8" +
			"58ff8c7d52a029cda8502ed5218e274d18867a0a79fd8a42fac986bfc2e8e097" +
			"d48e570071a4a9406e12fdc3456db5588e7fea990e0ab63ec567313391841859" +
			"a23bad5ee8454f864e1ec23688b2403c9b28cde04e6a73f2f85110734e73f278" +
			"71476ce40bdcc6b492faf3af2d2d4761fb1d4c6fde55620f9c3702924be1b175" +
			"b176c3354597ab6c386f937e2d593fff2955d59f6bc5cccf35971d5221aeea89" +
			"f514c924d855edb275d256f7a7e0dc1dc05a56437ad7fcc342164abe84d363f5" +
			"be52d2df5fe473b9e922e5337e7fd3a28df148419d7da438380f18a0c954a5c1",
		"bbc9a7e7190e7b551cbabe268c19aa13030ca483236799fff842efac579dae7c" +
			"58b7a20b1aa30080a08658ad861202def693e2009a23760ae80706bc2eea1d7c" +
			"7108412d2dc7eea1498a22d137701a9bababcc200b201c140d63f6c28da5a5c4" +
			"053abedde34856e7c134ca2a867365ecb5e3675d266a7790ab50ef7eac10602b" +
			"3d94cbf911c35a1ac5d01c2e5adf6cd061cbaaff0bdffe64d67644d2846b7abe" +
			"107b53bedc726aa7df6efa664e26d0b9dc3d81b86e5fb643f0c7a3f3d3791de7" +
			"5e0055e5e638a4b94e5db267eada5a439e42801bf35276925e9b12a5aa076cbb" +
			"cfaf4e569173556095724568084df6e1ec980399e7a1335d3a02e61d6f5b1c59",
	},
	signature: "d79f6d6a01dccfb65f5fd26bf65df48ff8ea9c2e0478b3e551cea109a285567d",
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

// The ECDSA key over P-384 of RFC 6979, A.2.6, and a signature of signedMessage by OpenSSL (SHA-384,
// ASN.1).
const (
	p384Private = "6b9d3dad2e1b8c1c05b19875b6659f4de23c3b667bf297ba9aa47740787137d8" +
		"96d5724e4c70a825f872c9ea60d2edf5"
	p384Public = "04ec3a4e415b4e19a4568618029f427fa5da9a8bc4ae92e02e06aae5286b300c" +
		"64def8f0ea9055866064a254515480bc138015d9b72d7d57244ea8ef9ac0c621" +
		"896708a59367f9dfb9f54ca84b3f1c9db1288b231c3ae0d4fe7344fd25332647" +
		"20"
	p384Signature = "30660231009228e142e8c9a05cda61eaa03ed7f0a4ec307bbb2deb8a0d9ac159" +
		"68fb61a8ad25bb95424023763f676f0c4ee4a91ef0023100e9be9a8659c1b906" +
		"cf4c54fe98d048997f85f5ec38720d4b2aa21b197689f47ac2557cd49a716765" +
		"5210987c81ee42ff"
)

// The Ed25519 key of RFC 8032, 7.1, test 1, and OpenSSL's signature of signedMessage. There is only
// one.
const (
	ed25519Private   = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
	ed25519Public    = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a"
	ed25519Signature = "87c3cb08dc99d2745ad84e05cbdd6e9b49b83b15f19d30b26ca40147c4a579fe" +
		"0b5617a5c3ee18f0368d3d190126a21f4f45d078254dac2c5557b81e3b82b208"
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
	p384Agreement = agreementNumbers{ // RFC 5903, 8.2
		keys: [2]string{
			"099f3c7034d4a2c699884d73a375a67f7624ef7c6b3c0f160647b67414dce655e35b538041e649ee3faef896783ab194",
			"41cb0779b4bdb85d47846725fbec3c9430fab46cc8dc5060855cc9bda0aa2942e0308312916b8ed2960e4bd55a7448fc",
		},
		secret: "11187331c279962d93d604243fd592cb9d0a926f422e47187521287e7156c5c4d603135569b9e9d09cf5d4a270f59746",
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
