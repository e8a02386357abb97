package main

import (
	"slices"

	"sizeup/gokit/protocol"
)

// registry is every workload that this worker has, in the order in which the
// receipt lists them. Inputs are named there, everything else comes with the
// request.
var registry = slices.Concat(
	edgeWorkloads,
	webWorkloads,
	gapWorkloads,
	storageWorkloads,
	backupWorkloads,
)

// edgeWorkloads is those of the suite edge, and the empty op.
var edgeWorkloads = []workload{
	{"regexp-easy-256KiB/go", planRegexp("regex-text-256KiB")},
	{"regexp-easy-i-256KiB/go", planRegexp("regex-text-256KiB")},
	{"regexp-easy2-256KiB/go", planRegexp("regex-text-256KiB")},
	{"regexp-medium-256KiB/go", planRegexp("regex-text-256KiB")},
	{"regexp-hard-256KiB/go", planRegexp("regex-text-256KiB")},
	{"regexp-hard2-256KiB/go", planRegexp("regex-text-256KiB")},
	{"ecdsa-p256-sign/go", planECDSASign},
	{"ecdsa-p256-verify/go", planECDSAVerify},
	{"rsa2048-sign/go", planRSASign(rsaByPrimes)},
	{"rsa2048-3prime-sign/go", planRSASign(rsaByPrimes)},
	{"aes-128-gcm-seal-8KiB/go", planSeal(aes128GCM)},
	{"chacha20-poly1305-seal-8KiB/go", planSeal(chaCha20Poly1305)},
	{"html-escape/go", planHTMLEscape},
	{"html-unescape/go", planHTMLUnescape},
	{"gzip-8-text/go", planGzip(goGzip, "text")},
	{"gunzip-text/go", planGunzip("text")},
	{"gzip-8-digits/go", planGzip(goGzip, "digits")},
	{"gunzip-digits/go", planGunzip("digits")},
	{"empty/go", planEmpty},
}

// findWorkload looks an ID up.
func findWorkload(id string) (workload, error) {
	for _, w := range registry {
		if w.id == id {
			return w, nil
		}
	}
	return workload{}, protocol.Faultf(protocol.KindUnknownWorkload, "this worker has no workload %q", id).
		Advise("go-worker --list tells which it has")
}
